// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Candidates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Each task has a priority of its own, drawn at random, and the highest runs; at a few steps, drawn at random too, the running one
 * falls below all others. A bug that needs {@code depth} such orderings is found with a chance that does not shrink
 * exponentially with the length of the program.
 */
final class PctDecisions extends Decisions {
  /** A task that has been chosen so often in a row falls too: a loop that waits without sleeping needs the others to run. */
  private static final int LONG = 150;

  private final SplittableRandom random;
  private final Set<Integer> changes = new HashSet<>();
  private final List<Double> priorities = new ArrayList<>();
  private double lowest;
  private int lastChosen = -1;
  private int inARow;

  /** {@code length} is how many decisions a run of the program takes, roughly. */
  PctDecisions(long seed, int depth, int length) {
    random = new SplittableRandom(seed);
    for (int i = 1; i < depth; i++) {
      changes.add(random.nextInt(Math.max(length, 1)));
    }
  }

  @Override
  int choice(Candidates candidates, int base) {
    int best = best(candidates);
    boolean tooLong = candidates.task(best) == lastChosen && inARow >= LONG;
    if (changes.contains(count()) || tooLong) {
      priorities.set(candidates.task(best), --lowest);
      best = best(candidates);
    }
    int chosen = candidates.task(best);
    inARow = chosen == lastChosen ? inARow + 1 : 0;
    lastChosen = chosen;
    return choiceOf(best, base);
  }

  private int best(Candidates candidates) {
    int best = 0;
    for (int i = 1; i < candidates.size(); i++) {
      if (priority(candidates.task(i)) > priority(candidates.task(best))) {
        best = i;
      }
    }
    return best;
  }

  private double priority(int task) {
    while (priorities.size() <= task) {
      priorities.add(random.nextDouble());
    }
    return priorities.get(task);
  }
}
