// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait and, in the hope that it will not be for long, have only yielded: to run one of them on takes a good part less than to
 * unpark it.
 *
 * <p>A thread that has yielded is not told when somebody interrupts it. So a nap ends soon, by itself or by a real sleep: after some
 * switches, or when nobody can go on; and while the turn stays where it is, whoever has it looks from time to time. Whether naps pay is
 * learned: one in vain costs a switch more than none.
 */
final class Naps {
  /** So many at a time, as bits. */
  private static final int BEDS = 8;

  /** A nap in this many switches, and at most twice as many, was in vain. */
  private static final int LONG = 32;

  /** What is kept of good experience. */
  private static final int MOST = 16;

  /** One in vain outweighs so many that were not. */
  private static final int PRICE = 2;

  /** Once they do not pay, one wait in so many tries whether they do again. */
  private static final int RARELY = 128;

  private static final int ALL = (1 << BEDS) - 1;

  /** A bed in both sets. */
  private static final int TWICE = 1 | 1 << BEDS;

  /** What {@link #begin} returns if there is no bed, or no hope. */
  static final int NONE = -1;

  /** Who lies there, or was the last to. */
  private final @Nullable CooperativeTask[] beds = new CooperativeTask[BEDS];

  /**
   * The beds that are taken, a bit for each; and above them those that were when the switches were last counted from the start, and have
   * not been left since.
   */
  private int taken;

  private int switches;
  private int stays;
  private int credit = MOST;
  private int refused;

  /** {@code me} is about to wait. Returns its bed, or NONE if it should go to sleep at once. */
  int begin(CooperativeTask me) {
    int free = ~taken & ALL;
    if (free == 0 || (credit == 0 && ++refused % RARELY != 0)) {
      return NONE;
    }
    int bed = Integer.numberOfTrailingZeros(free);
    if (beds[bed] != me) {
      beds[bed] = me;
    }
    taken |= 1 << bed;
    return bed;
  }

  /** Whoever lay in {@code bed} goes on, because it has the turn, or in vain. */
  void end(int bed, boolean inTime) {
    taken &= ~(TWICE << bed);
    if (!inTime) {
      credit = Math.max(credit - PRICE, 0);
    } else if (credit < MOST) {
      credit++;
    }
  }

  /** The turn goes on. Whether it is time to look for those who nap too long. */
  boolean areDue() {
    return taken != 0 && ++switches >= LONG;
  }

  /** The turn stays where it is. Whether it is time to look whether somebody who naps was interrupted. */
  boolean areToBeSeen() {
    return taken != 0 && ++stays % LONG == 0;
  }

  /** The beds of those who nap too long, as bits; from now on it is counted for the others. */
  int takeLong() {
    int late = taken >>> BEDS;
    taken = all() * TWICE;
    switches = 0;
    return late;
  }

  /** The beds of all who nap, as bits. */
  int all() {
    return taken & ALL;
  }

  /** Who lies in {@code bed}. */
  CooperativeTask in(int bed) {
    return Objects.requireNonNull(beds[bed]);
  }
}
