// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import java.util.Optional;

/**
 * What an attempt to receive brought.
 *
 * {@snippet :
 * Channel<String> names = Channel.buffered(8);
 * String text =
 *     switch (names.tryReceive()) {
 *       case Received.Value<String>(String name) -> "hello " + name;
 *       case Received.Empty<String>() -> "nobody yet";
 *       case Received.Closed<String>() -> "nobody will come";
 *       case Received.Failed<String>(Throwable error) -> "it broke: " + error;
 *     };
 * }
 *
 * @param <T> the type of the values
 */
public sealed interface Received<T> {

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
  record Value<T>(T item) implements Received<T> {
    @Override
    public Optional<T> value() {
      return Optional.of(item);
    }
  }

  /**
   * Nothing so far.
   *
   * @param <T> the type of the values
   */
  record Empty<T>() implements Received<T> {}

  /**
   * Nothing any more: the channel is closed, and all that was sent has been received.
   *
   * @param <T> the type of the values
   */
  record Closed<T>() implements Received<T> {
    @Override
    public boolean isEnd() {
      return true;
    }
  }

  /**
   * Nothing any more: the channel was ended with an error, and all that was sent before has been received.
   *
   * @param <T> the type of the values
   * @param error what it was ended with
   */
  record Failed<T>(Throwable error) implements Received<T> {
    @Override
    public boolean isEnd() {
      return true;
    }
  }
}
