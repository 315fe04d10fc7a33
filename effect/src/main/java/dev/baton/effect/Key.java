// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key of the environment or the state that knows the type of its value. Two keys of one name are equal.
 *
 * @param name its name
 * @param <T> the type of what stands under it
 */
@SuppressWarnings("UnusedTypeParameter") // it is what the key knows
public record Key<T extends @Nullable Object>(String name) {

  /** A key. */
  public Key {
    Objects.requireNonNull(name, "name");
  }

  /** {@return the key that is called {@code name}} */
  public static <T extends @Nullable Object> Key<T> of(String name) {
    return new Key<>(name);
  }

  @Override
  public String toString() {
    return "'" + name + "'";
  }
}
