// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Semaphore;

/**
 * Makes a semaphore: an ordinary one, which ordinary threads may share. See {@link Effects#semaphore}.
 *
 * @param permits how many permits it has; at least 1
 */
public record CreateSemaphore(long permits) implements Effect<Semaphore> {
  /** Checked. */
  public CreateSemaphore {
    if (permits < 1) {
      throw new IllegalArgumentException("A semaphore has at least 1 permit, not " + permits + ".");
    }
  }
}
