// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/**
 * What became of an attempt to send. Whoever was not able to send gets the value back.
 *
 * @param <T> the type of the values
 */
public sealed interface Sent<T> {

  /** Whether the value was sent. */
  default boolean isOk() {
    return false;
  }

  /** Received by somebody who waited, or stored. */
  record Ok<T>() implements Sent<T> {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /** There is no room, and nobody receives. */
  record Full<T>(T value) implements Sent<T> {}

  /** The channel is closed. */
  record Closed<T>(T value) implements Sent<T> {}

  /** The channel was ended with an error. */
  record Failed<T>(T value, Throwable error) implements Sent<T> {}
}
