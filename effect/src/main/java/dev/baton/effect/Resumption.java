// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * The rest of a program that has performed an effect and waits for its answer. Used at most once, by the handler that was given it,
 * before that returns.
 *
 * <p><b>Cancellation.</b> If the task is cancelled while the rest of the program runs, that may end with {@link
 * TaskCancelledException}, which is then thrown here.
 *
 * @param <R> the answer to the effect
 * @param <T> what the program returns
 */
public interface Resumption<R extends @Nullable Object, T extends @Nullable Object> {

  /**
   * The program goes on with {@code answer}. Returns what it returns in the end, or throws what it throws.
   *
   * @param answer what {@link Effects#perform} returns there
   * @return what the program returns in the end
   * @throws IllegalStateException if this resumption was used before, or its handler has returned
   */
  T resume(R answer);

  /**
   * The program goes on with {@code error}, thrown as it is where the effect was performed. Returns what the program returns in the
   * end, or throws what it throws.
   *
   * @param error what {@link Effects#perform} throws there
   * @return what the program returns in the end
   * @throws IllegalStateException if this resumption was used before, or its handler has returned
   */
  T fail(Throwable error);

  /**
   * Leaves the effect to the handlers outside of this one; the program goes on with what they answer. What the effect itself runs, as
   * that of {@link Spawn} or {@link Try} does, runs in the scope where it was performed. Returns what the program returns in the end, or
   * throws what it throws.
   *
   * @return what the program returns in the end
   * @throws IllegalStateException if this resumption was used before, or its handler has returned
   */
  T pass();
}
