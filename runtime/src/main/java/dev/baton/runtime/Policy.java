// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import java.util.SplittableRandom;

/**
 * Decides who runs next, whenever a task reaches an operation of Baton's, waits, or ends, and more than one task of the highest
 * priority could go on.
 *
 * <p>A policy is a value and may be used for many runs; each run begins a decider of its own.
 */
@FunctionalInterface
public interface Policy {

  /**
   * Begins a run.
   *
   * @return who decides in this run, and in no other
   */
  Decider begin();

  /** Decides in one run. Called by one task at a time. */
  @FunctionalInterface
  interface Decider {

    /**
     * The index of the one who runs next.
     *
     * @param candidates those who can run, one at least; to be looked at during the call only
     * @return from 0 to {@link Candidates#size} - 1
     */
    int choose(Candidates candidates);
  }

  /**
   * Everybody in turn: at each operation the running task goes to the end of the line.
   *
   * @return the policy; the same schedule each time
   */
  static Policy roundRobin() {
    return () -> candidates -> 0;
  }

  /**
   * Nobody is interrupted: a task runs until it has to wait; then the one goes on that has been able to for longest.
   *
   * @return the policy; the same schedule each time
   */
  static Policy runToBlock() {
    return () -> candidates -> Math.max(candidates.running(), 0);
  }

  /**
   * Any of them, each with the same chance, by a sequence that depends on {@code seed} alone.
   *
   * @param seed any number
   * @return the policy; for one seed the same schedule each time
   */
  static Policy seeded(long seed) {
    return () -> {
      SplittableRandom random = new SplittableRandom(seed);
      return candidates -> random.nextInt(candidates.size());
    };
  }
}
