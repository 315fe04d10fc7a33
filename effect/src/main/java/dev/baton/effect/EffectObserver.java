// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;

/**
 * Is told of every effect that is performed in its scope, before it is handled. What it throws is thrown where the effect was
 * performed, which is then not handled. Effects that it performs itself go to the handlers outside of it.
 */
@FunctionalInterface
public interface EffectObserver {

  /**
   * {@code effect} is about to be handled.
   *
   * @param effect what was performed
   * @throws Exception what is thrown where the effect was performed
   */
  void performed(Effect<?> effect) throws Exception;

  /**
   * {@code effect} was handled: with a value, or with an error, which may also be the end of the program by a handler. What this throws
   * is thrown where the effect was performed, in the place of the answer. Does nothing unless overridden.
   *
   * @param effect what was performed
   * @param answer the value or the error
   * @throws Exception what is thrown where the effect was performed
   */
  default void answered(Effect<?> effect, Result<?> answer) throws Exception {}
}
