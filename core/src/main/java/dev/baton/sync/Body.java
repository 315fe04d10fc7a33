// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import org.jspecify.annotations.Nullable;

/**
 * Code that runs while something is held, and returns a value.
 *
 * @param <T> what it returns
 * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
 */
@FunctionalInterface
public interface Body<T extends @Nullable Object, X extends Throwable> {

  /**
   * Runs the code.
   *
   * @return what the caller of the method that was given this code gets
   * @throws X what the caller of the method that was given this code gets
   */
  T run() throws X;
}
