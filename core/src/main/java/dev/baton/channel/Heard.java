// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import java.util.Optional;

/**
 * What an attempt to receive from a {@link Broadcast} brought.
 *
 * {@snippet :
 * Broadcast<String> news = Broadcast.lagging(8);
 * Subscription<String> reader = news.subscribe();
 * String text =
 *     switch (reader.tryReceive()) {
 *       case Heard.Value<String>(String item) -> item;
 *       case Heard.Lagged<String>(long missed) -> "(" + missed + " missed)";
 *       case Heard.Empty<String>() -> "no news";
 *       case Heard.Closed<String>() -> "the end";
 *       case Heard.Failed<String>(Throwable error) -> "it broke: " + error;
 *     };
 * }
 *
 * @param <T> the type of the values
 */
public sealed interface Heard<T> {

  /** {@return the value, if there is one} */
  default Optional<T> value() {
    return Optional.empty();
  }

  /** {@return whether nothing will ever come any more} */
  default boolean isEnd() {
    return false;
  }

  /**
   * A value.
   *
   * @param <T> the type of the values
   * @param item what was received
   */
  record Value<T>(T item) implements Heard<T> {
    @Override
    public Optional<T> value() {
      return Optional.of(item);
    }
  }

  /**
   * So many values were dropped before this subscriber received them. The next attempt brings the oldest that is left.
   *
   * @param <T> the type of the values
   * @param missed how many, since the last one that was received, or since the last time that some were missed
   */
  record Lagged<T>(long missed) implements Heard<T> {}

  /**
   * Nothing so far.
   *
   * @param <T> the type of the values
   */
  record Empty<T>() implements Heard<T> {}

  /**
   * Nothing any more: the broadcast is closed and all that was sent has been received, or the subscription is closed.
   *
   * @param <T> the type of the values
   */
  record Closed<T>() implements Heard<T> {
    @Override
    public boolean isEnd() {
      return true;
    }
  }

  /**
   * Nothing any more: the broadcast was ended with an error, and all that was sent before has been received.
   *
   * @param <T> the type of the values
   * @param error what it was ended with
   */
  record Failed<T>(Throwable error) implements Heard<T> {
    @Override
    public boolean isEnd() {
      return true;
    }
  }
}
