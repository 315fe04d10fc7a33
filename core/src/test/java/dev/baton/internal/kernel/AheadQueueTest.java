// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Waiter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is woken before its turn: by hand, with turns that take as long as the test says. */
class AheadQueueTest {
  private static final int WAITING = 100;
  private static final long WHILE_SPINNING = 1_000;

  private boolean spinning = true;
  private long clock = 1;
  private long tick;

  private final PermitQueue queue = new PermitQueue(1, 0);
  private final Deque<Request> line = new ArrayDeque<>();

  /** Who was woken without being served, since last asked. */
  private final List<Request> wokenEarly = new ArrayList<>();

  private final Host host =
      (Host)
          Proxy.newProxyInstance(
              Host.class.getClassLoader(),
              new Class<?>[] {Host.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "maySpin" -> spinning;
                    case "nanoTime", "roughNanoTime" -> clock += tick;
                    case "parkUntil" -> slept((long) arguments[2]);
                    case "unpark" -> unparked((Request) arguments[0]);
                    default -> null;
                  });

  private @Nullable Object slept(long until) {
    clock = until;
    return null;
  }

  private @Nullable Object unparked(Request request) {
    if (request.outcome() == Waiter.WAITING) {
      wokenEarly.add(request);
    }
    return null;
  }

  private void enqueue() {
    Request request = new Request(1, host, "a task");
    assertThat(queue.enqueue(request, false)).isEqualTo(Waiter.WAITING);
    line.add(request);
  }

  private void enqueueAll() {
    for (int i = 0; i < WAITING; i++) {
      enqueue();
    }
  }

  /** The permit changes hands; whoever had it stands in line again. Returns how far ahead somebody was woken; 0 if nobody was. */
  private int turn() {
    wokenEarly.clear();
    assertThat(queue.giveOne()).isTrue();
    assertThat(line.remove().outcome()).as("in order").isEqualTo(Waiter.GRANTED);
    enqueue();
    assertThat(wokenEarly).hasSizeLessThan(2);
    return wokenEarly.isEmpty() ? 0 : List.copyOf(line).indexOf(wokenEarly.getFirst()) + 1;
  }

  /** As if it ran for a moment, found nothing and were about to look again. */
  private void run(Request woken) {
    tick = WHILE_SPINNING;
    assertThat(woken.await(this, false, Duration.ofSeconds(1).toNanos())).isEqualTo(Waiter.TIMED_OUT);
    tick = 0;
    assertThat(woken.isAsleep()).isFalse();
  }

  /** Turns of which each takes so long; returns how many of them were far from the one who was woken for a later one. */
  private int farTurns(int turns, long near, long far, boolean awake) {
    int distance = 1;
    int count = 0;
    for (int i = 0; i < turns; i++) {
      int woken = turn();
      if (woken > 0) {
        distance = woken;
        if (awake) {
          long before = clock;
          run(wokenEarly.getFirst());
          clock = before;
        }
      }
      assertThat(distance).isIn(1, AheadQueue.REACH);
      boolean isFar = distance == AheadQueue.REACH;
      clock += isFar ? far : near;
      count += isFar ? 1 : 0;
    }
    return count;
  }

  @Test
  void theNextInLineIsWokenWhileThatIsFaster() {
    enqueueAll();
    assertThat(farTurns(100_000, 400, 600, true)).as("tried, but seldom").isBetween(1, 5_000);
  }

  @Test
  void oneFartherBehindIsWokenWhereThatIsFaster() {
    enqueueAll();
    assertThat(farTurns(100_000, 600, 400, true)).as("most of them, once it was tried").isGreaterThan(90_000);
  }

  @Test
  void whatIsFasterNowIsFoundOut() {
    enqueueAll();
    assertThat(farTurns(50_000, 600, 400, true)).isGreaterThan(40_000);
    assertThat(farTurns(50_000, 300, 400, true)).isLessThan(25_000);
    assertThat(farTurns(50_000, 1_200, 700, true)).isGreaterThan(25_000);
  }

  @Test
  void aTrialIsGivenUpIfThoseWhoWereWokenSleepAgain() {
    enqueueAll();
    // By the clock it would be faster.
    assertThat(farTurns(100_000, 600, 400, false)).isBetween(1, 2_500);
  }

  @Test
  void oneSlowEpochDoesNotDecide() {
    enqueueAll();
    assertThat(farTurns(50_000, 600, 400, true)).isGreaterThan(40_000);
    clock += Duration.ofSeconds(3).toNanos();
    assertThat(farTurns(20_000, 600, 400, true)).isGreaterThan(15_000);
  }

  @Test
  void whereFewWaitItIsAlwaysTheNext() {
    for (int i = 0; i < AheadQueue.REACH; i++) {
      enqueue();
    }
    assertThat(farTurns(50_000, 600, 400, true)).isZero();
  }

  @Test
  void whereNobodyMayLookNobodyIsWokenEarly() {
    spinning = false;
    enqueueAll();
    for (int i = 0; i < 10_000; i++) {
      assertThat(turn()).isZero();
    }
  }

  @Test
  void ifTheOneWhoWasWokenLeavesAnotherOneIs() {
    enqueueAll();
    assertThat(turn()).isEqualTo(1);
    Request woken = wokenEarly.getFirst();
    assertThat(queue.cancel(woken)).isTrue();
    line.remove(woken);
    assertThat(turn()).isEqualTo(1);
    queue.close();
    assertThat(line).allMatch(request -> request.outcome() == Waiter.CLOSED);
  }

  @Test
  void whoeverLooksFarAheadForeseesWhoWillAfterIt() {
    enqueueAll();
    List<Request> all = List.copyOf(line);
    Request first = all.getFirst();
    first.lookLonger();
    tick = WHILE_SPINNING;
    assertThat(first.spins()).isFalse();
    assertThat(first.foreseen()).as("whoever sleeps keeps nobody").isNull();
    first.decide(Waiter.GRANTED);
    assertThat(first.spins()).isTrue();
    assertThat(first.foreseen()).isSameAs(all.get(AheadQueue.REACH));
    Request last = all.getLast();
    last.lookLonger();
    last.decide(Waiter.GRANTED);
    assertThat(last.spins()).isTrue();
    assertThat(last.foreseen()).as("nobody stands there").isNull();
  }
}
