// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waits for so long. See {@link Effects#sleep}.
 *
 * @param duration how long; not negative
 */
public record Delay(Duration duration) implements Effect<@Nullable Void> {
  /** Checked. */
  public Delay {
    Objects.requireNonNull(duration, "duration");
    if (duration.isNegative()) {
      throw new IllegalArgumentException("A delay cannot be negative: " + duration + ". Time does not run backwards.");
    }
  }
}
