// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

/** Thrown when an {@link OnceCell} is given a value while its value is being computed. Nothing was put in. */
public final class InitializingException extends IllegalStateException {
  /**
   * With a message that says what to do.
   *
   * @param message why the value cannot be had or set now
   */
  public InitializingException(String message) {
    super(message);
  }
}
