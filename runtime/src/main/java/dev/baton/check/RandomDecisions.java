// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Candidates;
import java.util.SplittableRandom;

/** Any of them, each with the same chance. */
final class RandomDecisions extends Decisions {
  private final SplittableRandom random;

  RandomDecisions(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  int choice(Candidates candidates, int base) {
    return random.nextInt(candidates.size());
  }
}
