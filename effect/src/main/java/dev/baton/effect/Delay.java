// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for so long. See {@link Effects#sleep}.
 *
 * @param duration how long; not negative
 */
public record Delay(Duration duration) implements Effect<@Nullable Void> {
  /** Checked. */
  public Delay {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("A delay cannot be negative: " + duration + ". Time does not run backwards.");
    }
  }
}
