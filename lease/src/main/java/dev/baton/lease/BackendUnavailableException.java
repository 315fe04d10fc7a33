// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import org.jspecify.annotations.Nullable;

/** Thrown if the store cannot be reached or cannot answer. Nothing is held, or what is held will be given back. */
public final class BackendUnavailableException extends RuntimeException {
  /**
   * With a message that says what was tried, and what went wrong.
   *
   * @param message what was tried, and what to do
   * @param cause what went wrong there, if that is known
   */
  public BackendUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
