// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import dev.baton.check.Kind;
import dev.baton.check.Program;
import java.time.Duration;

/**
 * A classic mistake.
 *
 * @param name short, for tables
 * @param kind how the checker has to report it
 * @param what the mistake and what it does, in one sentence
 * @param broken the program that has it
 * @param fixed the same without it
 * @param budget so many schedules must be enough to find it
 * @param small whether all schedules with few preemptions can be tried
 */
record Bug(String name, Kind kind, String what, Program broken, Program fixed, int budget, boolean small) {
  private static final int USUAL_BUDGET = 2_000;

  Bug(String name, Kind kind, String what, Program broken, Program fixed) {
    this(name, kind, what, broken, fixed, USUAL_BUDGET, false);
  }

  /** The same bug, few and short tasks: all schedules with few preemptions can be tried. */
  Bug andSmall() {
    return new Bug(name, kind, what, broken, fixed, budget, true);
  }

  /** The same bug, to be found within so many schedules. */
  Bug within(int schedules) {
    return new Bug(name, kind, what, broken, fixed, schedules, small);
  }

  @Override
  public String toString() {
    return name;
  }

  // ---- for the programs ----

  /** Fails the program if it has gone wrong. */
  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  static Duration ms(int n) {
    return Duration.ofMillis(n);
  }

  /** A variable that tasks share. Nothing guards it: that is up to the program. */
  static final class Shared {
    int value;

    Shared(int value) {
      this.value = value;
    }
  }
}
