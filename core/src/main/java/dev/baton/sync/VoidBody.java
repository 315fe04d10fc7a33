// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

/**
 * Code that runs while something is held, and returns nothing.
 *
 * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
 */
@FunctionalInterface
public interface VoidBody<X extends Throwable> {

  /**
   * Runs the code.
   *
   * @throws X what the caller of the method that was given this code gets
   */
  void run() throws X;
}
