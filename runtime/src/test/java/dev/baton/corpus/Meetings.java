// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.EXCEPTION;

import dev.baton.scope.Scope;
import dev.baton.sync.Barrier;
import dev.baton.sync.Mutex;
import java.util.List;

/** Barriers that let the wrong ones through, or let them through too early. */
final class Meetings {
  private Meetings() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
            "two pairs, one barrier",
            EXCEPTION,
            "Two pairs share a barrier for two: one of each may meet, and go on without its partner.",
            Meetings::onePlaceForAll,
            Meetings::onePlaceForEachPair),
        new Bug(
                "next round too early",
                EXCEPTION,
                "There is a barrier between writing and reading and none between reading and writing the next.",
                () -> rounds(false),
                () -> rounds(true))
            .andSmall());
  }

  private static void onePlaceForAll() throws Exception {
    Barrier place = Barrier.of(2);
    twoPairs(place, place);
  }

  private static void onePlaceForEachPair() throws Exception {
    twoPairs(Barrier.of(2), Barrier.of(2));
  }

  private static void twoPairs(Barrier first, Barrier second) throws Exception {
    boolean[] prepared = new boolean[4];
    Scope.run(
        scope -> {
          for (int i = 0; i < 4; i++) {
            int me = i;
            int partner = i ^ 1;
            Barrier place = i < 2 ? first : second;
            scope.fork(
                () -> {
                  prepared[me] = true;
                  place.await();
                  Bug.require(prepared[partner], me + " goes on and " + partner + " is not there");
                });
          }
          scope.join();
        });
  }

  private static void rounds(boolean waitForReaders) throws Exception {
    Barrier step = Barrier.of(2);
    Mutex log = new Mutex();
    int[] cells = new int[2];
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            int me = i;
            scope.fork(
                () -> {
                  for (int round = 1; round <= 2; round++) {
                    cells[me] = round;
                    step.await();
                    int seen = cells[1 - me];
                    Bug.require(seen == round, "in round " + round + " the other is in round " + seen);
                    log.withLock(() -> {});
                    if (waitForReaders) {
                      step.await();
                    }
                  }
                });
          }
          scope.join();
        });
  }
}
