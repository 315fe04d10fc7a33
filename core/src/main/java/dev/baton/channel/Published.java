// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/**
 * What became of an attempt to send to all subscribers of a {@link Broadcast}. Whoever was not able to send gets the value back.
 *
 * @param <T> the type of the values
 */
public sealed interface Published<T> {

  /** Whether the value was sent. */
  default boolean isOk() {
    return false;
  }

  /** Sent to so many subscribers, at least one. */
  record Ok<T>(int receivers) implements Published<T> {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /** The slowest subscriber has as many values unreceived as there is room for. */
  record Full<T>(T value) implements Published<T> {}

  /** Nobody is subscribed. */
  record NoSubscriber<T>(T value) implements Published<T> {}

  /** The broadcast is closed. */
  record Closed<T>(T value) implements Published<T> {}

  /** The broadcast was ended with an error. */
  record Failed<T>(T value, Throwable error) implements Published<T> {}
}
