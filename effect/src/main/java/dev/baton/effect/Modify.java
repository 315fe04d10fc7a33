// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a value of the state by a function of it. Answer: the new one. See {@link Effects#modify}.
 *
 * @param key under which key
 * @param function is given the value, or null if there is none
 * @param <T> the type of the value
 */
public record Modify<T extends @Nullable Object>(Object key, UnaryOperator<T> function) implements Effect<T> {
  /** Checked. */
  public Modify {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(function, "function");
  }
}
