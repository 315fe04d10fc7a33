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

  /**
   * Does the work.
   *
   * @param scope the scope, open; it belongs to the calling thread and is closed when this returns
   * @return what the caller of {@link Scope#call} gets
   * @throws Exception what the caller of {@link Scope#call} gets, unless something else has failed before
   */
  T run(Scope scope) throws Exception;
}
