// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import java.time.Duration;

/**
 * For what a test has to get done before a deadline of its own, on a machine that may be busy. Its failure counts, unless the clock says that
 * the machine was too slow for it: then it is tried again with twice the time. In a world with virtual time there is no hurry.
 */
public final class Hurry {
  private final Duration time;
  private final long begun = System.nanoTime();
  private long needed = Long.MAX_VALUE;

  private Hurry(Duration time) {
    this.time = time;
  }

  /** What is to be done. */
  @FunctionalInterface
  public interface Body<X extends Exception> {
    void run(Hurry hurry) throws X;
  }

  /** Runs {@code body}, with {@code first} as the time that it has, or more. */
  public static <X extends Exception> void inTime(Duration first, Body<X> body) throws X {
    for (Duration time = first; ; time = time.multipliedBy(2)) {
      Hurry hurry = new Hurry(time);
      try {
        body.run(hurry);
        return;
      } catch (AssertionError | RuntimeException failure) {
        if (!hurry.isTooLate() || time.compareTo(World.PATIENCE) > 0) {
          throw failure;
        }
      }
    }
  }

  /** Until when it has to be done, from the beginning. */
  public Duration time() {
    return time;
  }

  /** What was to be done in time is done. */
  public void done() {
    done(Duration.ZERO);
  }

  /** The same, after the test has let {@code passed} pass on purpose. */
  public void done(Duration passed) {
    needed = System.nanoTime() - begun - passed.toNanos();
  }

  private boolean isTooLate() {
    return Math.min(needed, System.nanoTime() - begun) > time.toNanos() / 2;
  }
}
