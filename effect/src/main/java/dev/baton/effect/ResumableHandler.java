// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Answers effects of one class, and decides what becomes of the program that has performed them.
 *
 * <p>It is given a {@link Resumption} and may resume the program with an answer or an error, pass the effect on to the handlers
 * outside, or return without any of these: that ends the program that is being handled, whose {@code finally} blocks run, with the
 * value returned as its result. What it throws before it has resumed is thrown where the effect was performed; what it throws after
 * that is thrown by {@link Effects#handle}.
 *
 * <p><b>Spawned tasks</b> inherit it, and it then handles that task as if the task's program had been handled by itself: to return
 * without resuming ends that task alone.
 *
 * @param <E> the effects it answers
 * @param <R> the answers
 * @param <T> what the program that is handled returns
 */
@FunctionalInterface
public interface ResumableHandler<E, R extends @Nullable Object, T extends @Nullable Object> {

  /**
   * What the program that is being handled is to return.
   *
   * @param effect what was performed
   * @param resumption how the program goes on; to be used at most once, before this returns
   * @return what stands in the place of the program's result
   * @throws Exception what is thrown in the place of the program's result; before it was resumed, where the effect was
   *     performed
   */
  T handle(E effect, Resumption<R, T> resumption) throws Exception;
}
