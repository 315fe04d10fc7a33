// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of the task. See {@link Effects#get}.
 *
 * @param key under which key
 * @param <T> the type of the value
 */
public record Get<T extends @Nullable Object>(Object key) implements Effect<T> {
  /** Checked. */
  public Get {
    Objects.requireNonNull(key, "key");
  }
}
