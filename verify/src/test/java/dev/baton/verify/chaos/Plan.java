// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What will go wrong when: the same for the same seed. */
final class Plan {

  /**
   * One thing that goes wrong.
   *
   * @param at milliseconds after the beginning
   * @param victim which process
   * @param lasting for how many milliseconds
   * @param seed for what else is to be chosen
   */
  record Strike(Fault fault, long at, int victim, long lasting, long seed) {}

  private Plan() {}

  /** Rounds in which everything goes wrong once, in any order, until {@code length} is over; one round at least. */
  static List<Strike> of(long seed, Duration length, int processes, int shortestGap, int longestGap) {
    Random random = new Random(seed);
    List<Strike> strikes = new ArrayList<>();
    long at = 0;
    do {
      List<Fault> round = new ArrayList<>(Arrays.asList(Fault.values()));
      Collections.shuffle(round, random);
      for (Fault fault : round) {
        at += shortestGap + random.nextInt(longestGap - shortestGap + 1);
        strikes.add(new Strike(fault, at, random.nextInt(processes), lasting(fault, random), random.nextLong()));
      }
    } while (at < length.toMillis());
    return strikes;
  }

  private static long lasting(Fault fault, Random random) {
    long window = Resource.WINDOW.toMillis();
    return switch (fault) {
      case KILL, SCRIPTS_FORGOTTEN, CLIENTS_KILLED, RESTART, RESTART_EMPTY -> 0;
      case PAUSE -> 100 + random.nextInt((int) window / 2);
      case LONG_PAUSE -> window + 200 + random.nextInt((int) window / 2);
      // Sometimes a hiccup, sometimes longer than anything is kept.
      case CUT, HALF_OPEN, NO_ANSWERS, LATE -> 50 + random.nextInt((int) window * 3 / 2);
      case STALL -> 50 + random.nextInt(700);
      // So long nothing is replicated.
      case FAIL_OVER -> random.nextInt(400);
    };
  }
}
