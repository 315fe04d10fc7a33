// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Semaphore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits of a semaphore, waiting for them if need be. A cancelled wait holds nothing, and the next in line is considered at
 * once. See {@link Effects#acquire}.
 *
 * @param semaphore the semaphore
 * @param permits how many
 */
public record AcquireSemaphore(Semaphore semaphore, long permits) implements Effect<@Nullable Void> {
  /** Checked. */
  public AcquireSemaphore {
    Objects.requireNonNull(semaphore, "semaphore");
  }

  /**
   * Takes one permit.
   *
   * @param semaphore whose permit
   */
  public AcquireSemaphore(Semaphore semaphore) {
    this(semaphore, 1);
  }
}
