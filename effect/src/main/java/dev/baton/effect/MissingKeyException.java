// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;

/** The environment, or the state, has nothing under a key. */
public final class MissingKeyException extends NoSuchElementException {
  private static final long serialVersionUID = 1;

  /** So many keys are shown at most. */
  private static final int SHOWN = 10;

  @SuppressWarnings("serial") // for a look at once, not for a wire
  private final transient Object key;

  private MissingKeyException(String message, Object key) {
    super(message);
    this.key = key;
  }

  static MissingKeyException inEnvironment(Object key, PersistentMap environment) {
    return new MissingKeyException(
        "The environment has no " + quoted(key) + ", only " + keys(environment) + ": provide it by Runner.environment, or around the program by Effects.local.", key);
  }

  static MissingKeyException inState(Object key, PersistentMap state) {
    return new MissingKeyException(
        "The state has no " + quoted(key) + ", only " + keys(state) + ": put it first, or provide it by Runner.state.", key);
  }

  private static String keys(PersistentMap map) {
    List<Object> keys = map.someKeys(SHOWN + 1);
    String some = keys.stream().limit(SHOWN).map(MissingKeyException::quoted).sorted().collect(Collectors.joining(", "));
    return keys.isEmpty() ? "nothing at all" : keys.size() > SHOWN ? some + " and others" : some;
  }

  private static String quoted(Object key) {
    // A key is no string, though it may have the same name.
    return key instanceof String ? "'" + key + "'" : key instanceof Key<?> ? "Key " + key : Texts.of(key);
  }

  /** {@return what was looked for} */
  public Object key() {
    return key;
  }
}
