// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.threads;

/** How to wait for a lock that is held for a few dozen instructions. */
public final class Backoff {
  private static final int SPINS = 64;

  private Backoff() {}

  /** Waits a moment; {@code attempt} counts the moments so far. */
  @SuppressWarnings("ThreadPriorityCheck") // the lock is correct without the yield, only slower
  public static void pause(int attempt) {
    if (attempt < SPINS) {
      Thread.onSpinWait();
    } else {
      // The holder has lost its core: let it have ours.
      Thread.yield();
    }
  }

  /** Lets others have the caller's core for a moment: virtual threads are not taken off theirs while they compute. */
  @SuppressWarnings("ThreadPriorityCheck") // whoever calls is correct without it, only less fair
  public static void giveWay() {
    Thread.yield();
  }
}
