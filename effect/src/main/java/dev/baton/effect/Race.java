// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Waitable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first of several tasks and futures to end. Answer: which it was, its value, and the rest, which goes on. Its error is
 * thrown. Of several that have ended before, the one counts that ended first; what the run has not made counts
 * as later than what it has. A cancelled wait changes nothing. See {@link
 * Effects#race}.
 *
 * @param waitables what is waited for; at least one
 * @param <T> the type of their values
 */
public record Race<T extends @Nullable Object>(List<? extends Waitable<? extends T>> waitables) implements Effect<RaceResult<T>> {
  /** Checked. */
  public Race {
    waitables = Waitables.requireAll(waitables, "Race");
    if (waitables.isEmpty()) {
      throw new IllegalArgumentException("A race needs at least one waitable: of none, none is first.");
    }
  }
}
