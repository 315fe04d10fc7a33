// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Semaphore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives permits of a semaphore back, to those who have waited longest. See {@link Effects#release}.
 *
 * @param semaphore the semaphore
 * @param permits how many
 */
public record ReleaseSemaphore(Semaphore semaphore, long permits) implements Effect<@Nullable Void> {
  /** Checked. */
  public ReleaseSemaphore {
    Objects.requireNonNull(semaphore, "semaphore");
  }

  /**
   * Gives one permit back.
   *
   * @param semaphore whose permit
   */
  public ReleaseSemaphore(Semaphore semaphore) {
    this(semaphore, 1);
  }
}
