// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the environment. See {@link Effects#ask}.
 *
 * @param key under which key
 * @param <T> the type of the value
 */
public record Ask<T extends @Nullable Object>(Object key) implements Effect<T> {
  /** Checked. */
  public Ask {
    Objects.requireNonNull(key, "key");
  }
}
