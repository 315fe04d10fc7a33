// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/**
 * What became of an attempt to send. Whoever was not able to send gets the value back.
 *
 * @param <T> the type of the values
 */
public sealed interface Sent<T> {

  /** {@return whether the value was sent} */
  default boolean isOk() {
    return false;
  }

  /**
   * Received by somebody who waited, or stored.
   *
   * @param <T> the type of the values
   */
  record Ok<T>() implements Sent<T> {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /**
   * There is no room, and nobody receives.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   */
  record Full<T>(T value) implements Sent<T> {}

  /**
   * The channel is closed.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   */
  record Closed<T>(T value) implements Sent<T> {}

  /**
   * The channel was ended with an error.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   * @param error what it was ended with
   */
  record Failed<T>(T value, Throwable error) implements Sent<T> {}
}
