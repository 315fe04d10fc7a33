// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Waitable;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a task or a future. Answer: its value; its error is thrown. A cancelled wait changes nothing. See {@link Effects#join}.
 *
 * @param waitable what is waited for
 * @param <T> the type of its value
 */
public record Wait<T extends @Nullable Object>(Waitable<? extends T> waitable) implements Effect<T> {
  /** Checked. */
  public Wait {
    Waitables.require(waitable, "Wait");
  }
}
