// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

/**
 * Is told of every effect that is performed in its scope, before it is handled. What it throws is thrown where the effect was
 * performed, which is then not handled. Effects that it performs itself go to the handlers outside of it.
 */
@FunctionalInterface
public interface EffectObserver {

  /** {@code effect} is about to be handled. */
  void performed(Effect<?> effect) throws Exception;
}
