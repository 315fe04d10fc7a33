// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Candidates;

/** Repeats given choices, and after them those that change least. */
final class PathDecisions extends Decisions {
  private final int[] path;

  PathDecisions(int... path) {
    this.path = path;
  }

  @Override
  int choice(Candidates candidates, int base) {
    // Another program may have fewer to choose from.
    return count() < path.length ? Math.min(path[count()], candidates.size() - 1) : 0;
  }
}
