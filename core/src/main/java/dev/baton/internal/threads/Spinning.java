// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.threads;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether it pays to keep a core busy for what one waits for: as long as it mostly did.
 *
 * <p>Two who pass items to and fro on two cores save a sleep and a wake-up each time. Ten thousand pairs that do so keep the cores from
 * those they wait for. Nobody can tell beforehand, and a channel may be too young to know; so all channels share one record. It is
 * kept without atomic steps: a lost one costs a moment, never a wake-up.
 */
public final class Spinning {
  /** What is kept of good experience. */
  private static final int MOST = 16;

  /** One that was in vain outweighs so many that were not. */
  private static final int PRICE = 2;

  /** Once it does not pay, one in so many tries whether it does again. */
  private static final int RARELY = 100;

  /** Written only when it changes: all cores read it. */
  private static int credit = MOST;

  private Spinning() {}

  /** Whether to try. */
  public static boolean pays() {
    return credit > 0 || ThreadLocalRandom.current().nextInt(RARELY) == 0;
  }

  /** How a try went. */
  public static void tried(boolean successful) {
    int now = credit;
    int next = successful ? Math.min(now + 1, MOST) : Math.max(now - PRICE, 0);
    if (next != now) {
      credit = next;
    }
  }
}
