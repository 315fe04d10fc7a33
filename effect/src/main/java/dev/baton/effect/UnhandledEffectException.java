// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.List;

/** Nobody answers an effect: no handler in scope is for its class, or all of them have passed it on. */
public final class UnhandledEffectException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // for a look at once, not for a wire
  private final transient Effect<?> effect;

  @SuppressWarnings("serial") // as above
  private final transient List<String> handlers;

  /**
   * Nobody answers {@code effect}; {@code handlers} are in scope, innermost first.
   *
   * @param effect what nobody answers
   * @param handlers how those in scope are called
   */
  public UnhandledEffectException(Effect<?> effect, List<String> handlers) {
    super(
        "No handler answers "
            + Texts.of(effect)
            + " ("
            + effect.getClass().getName()
            + "). In scope, innermost first: "
            + (handlers.isEmpty() ? "none" : String.join("; ", handlers))
            + advice(effect));
    this.effect = effect;
    this.handlers = List.copyOf(handlers);
  }

  private static String advice(Effect<?> effect) {
    return BuiltIns.LAYER.makers().containsKey(effect.getClass()) || effect instanceof Await
        ? ". This one is Baton's own: add your handlers to those that answer it, by Handlers.defaults().with(...)."
        : ". Give the run a handler for this class, or install one by Effects.handle.";
  }

  /** {@return what nobody answers} */
  public Effect<?> effect() {
    return effect;
  }

  /** {@return the handlers in scope, innermost first} */
  public List<String> handlers() {
    return handlers;
  }
}
