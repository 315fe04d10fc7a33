// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/**
 * What became of an attempt to send to all subscribers of a {@link Broadcast}. Whoever was not able to send gets the value back.
 *
 * @param <T> the type of the values
 */
public sealed interface Published<T> {

  /** {@return whether the value was sent} */
  default boolean isOk() {
    return false;
  }

  /**
   * Sent to so many subscribers, at least one.
   *
   * @param <T> the type of the values
   * @param receivers how many receive it
   */
  record Ok<T>(int receivers) implements Published<T> {
    @Override
    public boolean isOk() {
      return true;
    }
  }

  /**
   * The slowest subscriber has as many values unreceived as there is room for.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   */
  record Full<T>(T value) implements Published<T> {}

  /**
   * Nobody is subscribed.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   */
  record NoSubscriber<T>(T value) implements Published<T> {}

  /**
   * The broadcast is closed.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   */
  record Closed<T>(T value) implements Published<T> {}

  /**
   * The broadcast was ended with an error.
   *
   * @param <T> the type of the values
   * @param value what was not sent
   * @param error what it was ended with
   */
  record Failed<T>(T value, Throwable error) implements Published<T> {}
}
