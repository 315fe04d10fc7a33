// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Candidates;

/** Repeats given choices, and after them those that change least. */
final class PathDecisions extends Decisions {
  private final int[] path;
  private boolean misfit;

  PathDecisions(int... path) {
    this.path = path;
  }

  @Override
  int choice(Candidates candidates, int base) {
    return draw(candidates.size());
  }

  @Override
  int draw(int size) {
    if (count() >= path.length) {
      return 0;
    }
    int wanted = path[count()];
    int last = size - 1;
    misfit |= wanted > last;
    return Math.min(wanted, last);
  }

  /** Whether the program had less to choose from than the path says: it is that of another program. */
  boolean isMisfit() {
    return misfit || count() < path.length;
  }
}
