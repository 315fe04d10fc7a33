// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.function.Consumer;

/** When all is well again, everybody gets what it asks for. */
final class LivenessCheck implements Check {

  /** One window for what the dead have held, another for a grant that nobody claims, one look, and some time for those in front. */
  static final Duration BOUND = Resource.WINDOW.multipliedBy(2).plusSeconds(5).plusSeconds(3);

  @Override
  public void look(History history, Consumer<String> violations) {
    if (history.waits.size() != history.expectedWaits) {
      violations.accept(history.waits.size() + " of " + history.expectedWaits + " requests were granted after the faults had ended");
    }
    for (long wait : history.waits) {
      if (wait > BOUND.toNanos()) {
        violations.accept("somebody waited " + CapacityCheck.millis(wait) + " after the faults had ended; " + BOUND + " is allowed");
      }
    }
  }
}
