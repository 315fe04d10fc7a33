// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Waiter;
import dev.baton.internal.kernel.Selection.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two selections are claimed together or not at all. */
@Timeout(60)
class SelectionTest {

  @Test
  void bothAreClaimedTogether() {
    Selection one = new Selection(1);
    Selection other = new Selection(1);
    assertThat(Selection.claimBoth(one, other)).isEqualTo(Pair.BOTH);
    assertThat(one.isClaimed() && other.isClaimed()).isTrue();
    assertThat(one.claim() || other.claim()).isFalse();
  }

  @Test
  void oneThatMeetsADeadOneStaysAsItWas() {
    for (boolean olderFirst : new boolean[] {true, false}) {
      for (boolean firstDead : new boolean[] {true, false}) {
        Selection older = ordered();
        Selection younger = ordered();
        Selection first = olderFirst ? older : younger;
        Selection second = olderFirst ? younger : older;
        assertThat((firstDead ? first : second).claim()).isTrue();
        assertThat(Selection.claimBoth(first, second)).isEqualTo(firstDead ? Pair.FIRST_IS_DEAD : Pair.SECOND_IS_DEAD);
        Selection alive = firstDead ? second : first;
        assertThat(alive.isClaimed()).isFalse();
        assertThat(alive.claim()).isTrue();
      }
    }
  }

  /** Has its place in the order: it has met another one, which was dead. */
  private static Selection ordered() {
    Selection selection = new Selection(1);
    Selection dead = new Selection(1);
    assertThat(dead.claim()).isTrue();
    assertThat(Selection.claimBoth(selection, dead)).isEqualTo(Pair.SECOND_IS_DEAD);
    return selection;
  }

  @Test
  void itEndsWhenAllOfItsRequestsHave() {
    Selection selection = new Selection(2);
    selection.ended();
    assertThat(selection.outcome()).isEqualTo(Waiter.WAITING);
    selection.ended();
    assertThat(selection.outcome()).isEqualTo(Waiter.CLOSED);
    assertThat(selection.winner()).isNull();
    assertThat(selection.giveUp()).isFalse();
    Selection served = new Selection(1);
    assertThat(served.claim()).isTrue();
    served.ended();
    assertThat(served.outcome()).isEqualTo(Waiter.WAITING);
  }

  @Test
  void whateverMeetsWhatEachIsClaimedOnceAndNobodyWaitsInACircle() throws Exception {
    int rounds = 20_000;
    int threads = 4;
    List<Selection> ring = new ArrayList<>();
    AtomicInteger claims = new AtomicInteger();
    CyclicBarrier barrier =
        new CyclicBarrier(
            threads,
            () -> {
              if (!ring.isEmpty()) {
                // Three in a ring: two of them have met, and perhaps the third was claimed alone.
                int claimed = (int) ring.stream().filter(Selection::isClaimed).count();
                assertThat(claims.getAndSet(0)).isEqualTo(claimed);
                ring.clear();
              }
              for (int i = 0; i < 3; i++) {
                ring.add(new Selection(1));
              }
            });
    List<Thread> all = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    for (int t = 0; t < threads; t++) {
      int me = t;
      all.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < rounds; i++) {
                        barrier.await();
                        if (me == 3) {
                          claims.addAndGet(ring.get(i % 3).claim() ? 1 : 0);
                        } else {
                          boolean both = Selection.claimBoth(ring.get(me), ring.get((me + 1) % 3)) == Pair.BOTH;
                          claims.addAndGet(both ? 2 : 0);
                        }
                      }
                    } catch (Exception e) {
                      failed.incrementAndGet();
                    }
                  }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(failed).hasValue(0);
  }
}
