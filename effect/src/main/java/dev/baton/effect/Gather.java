// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Waitable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for all of several tasks and futures. Answer: their values, in the order given. The first error that comes is thrown at once;
 * the others go on. A cancelled wait changes nothing. See {@link Effects#gather}.
 *
 * @param waitables what is waited for; may be empty, and contain something twice
 * @param <T> the type of their values
 */
public record Gather<T extends @Nullable Object>(List<? extends Waitable<? extends T>> waitables) implements Effect<List<T>> {
  /** Checked. */
  public Gather {
    waitables = Waitables.requireAll(waitables, "Gather");
  }
}
