// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

/** Work without a value that forks in a scope. */
@FunctionalInterface
public interface VoidScopeBody {

  /**
   * Does the work.
   *
   * @param scope the scope, open; it belongs to the calling thread and is closed when this returns
   * @throws Exception what the caller of {@link Scope#run} gets, unless something else has failed before
   */
  void run(Scope scope) throws Exception;
}
