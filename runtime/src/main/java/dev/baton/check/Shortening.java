// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.check.Trial.Outcome;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Looks for a shorter schedule that fails in the same way: takes out switches, many at once and then one at a time, as long as it
 * still fails.
 */
final class Shortening {
  private static final int MOST_TRIALS = 1_000;

  private final Function<int[], Outcome> trial;
  private Outcome best;
  private int trials;

  private final BooleanSupplier stop;

  /** Ends early if {@code stop} says so. */
  Shortening(Outcome failing, Function<int[], Outcome> trial, BooleanSupplier stop) {
    this.best = failing;
    this.trial = trial;
    this.stop = stop;
  }

  /** The choices of the shortest schedule that was found. */
  int[] shortest() {
    boolean better = true;
    while (better && mayTry()) {
      better = false;
      int[] path = best.decisions().choices();
      int switches = switches(path);
      for (int chunk = Math.max(switches, 1); chunk >= 1 && mayTry(); chunk /= 2) {
        better |= takeOut(chunk);
      }
      better |= moveUp();
    }
    return best.decisions().choices();
  }

  /** Tries to take out each group of {@code chunk} switches that follow each other, the last ones first. */
  private boolean takeOut(int chunk) {
    boolean better = false;
    int end = switches(best.decisions().choices());
    while (end > 0 && mayTry()) {
      int[] path = best.decisions().choices();
      int from = Math.max(0, end - chunk);
      if (tryPath(without(path, from, end))) {
        better = true;
        end = Math.min(from, switches(best.decisions().choices()));
      } else {
        end = from;
      }
    }
    return better;
  }

  /**
   * Without a switch there may be a decision less to make, or one more, and all that follow mean something else: tries to take each
   * switch out with those that follow moved up or down by one.
   */
  private boolean moveUp() {
    boolean better = false;
    int[] path = best.decisions().choices();
    for (int i = path.length - 1; i >= 0 && mayTry(); i--) {
      if (path[i] != 0 && (tryPath(without(path, i)) || tryPath(withPause(path, i)))) {
        better = true;
        path = best.decisions().choices();
        i = Math.min(i, path.length);
      }
    }
    return better;
  }

  private static int[] without(int[] path, int index) {
    int[] shorter = Arrays.copyOf(path, path.length - 1);
    System.arraycopy(path, index + 1, shorter, index, shorter.length - index);
    return shorter;
  }

  private static int[] withPause(int[] path, int index) {
    int[] longer = Arrays.copyOf(path, path.length + 1);
    System.arraycopy(path, index + 1, longer, index + 2, path.length - index - 1);
    longer[index] = 0;
    longer[index + 1] = 0;
    return longer;
  }

  private boolean mayTry() {
    return trials < MOST_TRIALS && !stop.getAsBoolean();
  }

  private boolean tryPath(int[] path) {
    trials++;
    Outcome outcome = trial.apply(path);
    if (outcome.kind() == Kind.BLOCKED_OUTSIDE) {
      // Each such run takes seconds, and whoever watches waits for an answer.
      trials = MOST_TRIALS;
    }
    if (outcome.failsLike(best) && isShorter(outcome)) {
      best = outcome;
      return true;
    }
    return false;
  }

  private boolean isShorter(Outcome outcome) {
    int before = switches(best.decisions().choices());
    int after = switches(outcome.decisions().choices());
    return after < before || (after == before && outcome.length() < best.length());
  }

  private static int switches(int[] path) {
    return (int) Arrays.stream(path).filter(choice -> choice != 0).count();
  }

  /** The path without its switches number {@code from} to {@code to}. */
  private static int[] without(int[] path, int from, int to) {
    int[] shorter = path.clone();
    int seen = 0;
    for (int i = 0; i < shorter.length; i++) {
      if (shorter[i] != 0) {
        if (seen >= from && seen < to) {
          shorter[i] = 0;
        }
        seen++;
      }
    }
    return shorter;
  }
}
