// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state of the task. See {@link Effects#put}.
 *
 * @param key under which key
 * @param value what
 */
public record Put(Object key, @Nullable Object value) implements Effect<@Nullable Void> {
  /** Checked. */
  public Put {
    Objects.requireNonNull(key, "key");
  }
}
