// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import org.jspecify.annotations.Nullable;

/**
 * Work that forks in a scope.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface ScopeBody<T extends @Nullable Object> {

  /** Does the work. */
  T run(Scope scope) throws Exception;
}
