// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Answers effects of one class. It runs on the stack of whoever performs the effect, and may perform effects itself: those go to
 * the handlers outside of this one. What it throws is thrown where the effect was performed.
 *
 * @param <E> the effects it answers
 * @param <R> the answers
 */
@FunctionalInterface
public interface Handler<E, R extends @Nullable Object> {

  /**
   * {@return the answer to {@code effect}}
   *
   * @param effect what was performed
   * @throws Exception what is thrown where the effect was performed
   */
  R handle(E effect) throws Exception;
}
