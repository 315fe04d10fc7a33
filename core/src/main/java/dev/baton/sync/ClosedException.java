// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

/** Thrown to callers and waiters of something that has been closed. Nothing was taken. */
public final class ClosedException extends IllegalStateException {
  /**
   * With a message that says what was closed.
   *
   * @param message what was closed, and what can still be done with it
   */
  public ClosedException(String message) {
    super(message);
  }
}
