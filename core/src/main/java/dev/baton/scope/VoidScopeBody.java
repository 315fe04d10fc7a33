// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

/** Work without a value that forks in a scope. */
@FunctionalInterface
public interface VoidScopeBody {

  /** Does the work. */
  void run(Scope scope) throws Exception;
}
