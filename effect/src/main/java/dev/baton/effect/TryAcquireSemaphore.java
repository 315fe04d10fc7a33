// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.Objects;

/**
 * Takes permits of a semaphore, waiting at most so long. Answer: whether they were taken. A cancelled wait holds nothing. See {@link
 * Effects#tryAcquire}.
 *
 * @param semaphore the semaphore
 * @param permits how many
 * @param timeout how long; zero does not wait at all
 */
public record TryAcquireSemaphore(Semaphore semaphore, long permits, Duration timeout) implements Effect<Boolean> {
  /** Checked. */
  public TryAcquireSemaphore {
    Objects.requireNonNull(semaphore, "semaphore");
    Objects.requireNonNull(timeout, "timeout");
  }
}
