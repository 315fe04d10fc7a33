// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.NoSuchElementException;

/** The environment, or the state, has nothing under a key. */
public final class MissingKeyException extends NoSuchElementException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // for a look at once, not for a wire
  private final transient Object key;

  private MissingKeyException(String message, Object key) {
    super(message);
    this.key = key;
  }

  static MissingKeyException inEnvironment(Object key) {
    return new MissingKeyException(
        "The environment has no " + quoted(key) + ": provide it by Runner.environment, or around the program by Effects.local.", key);
  }

  static MissingKeyException inState(Object key) {
    return new MissingKeyException(
        "The state has no " + quoted(key) + ": put it first, or provide it by Runner.state. modify is given null instead.", key);
  }

  private static String quoted(Object key) {
    return key instanceof String ? "'" + key + "'" : Texts.of(key);
  }

  /** {@return what was looked for} */
  public Object key() {
    return key;
  }
}
