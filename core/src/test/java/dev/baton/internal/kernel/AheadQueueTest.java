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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is woken before its turn: by hand, with turns that take as long as the test says. */
class AheadQueueTest {
  private static final int WAITING = 100;
  private static final long WHILE_SPINNING = 1_000;

  private boolean spinning = true;
  private long clock = 1;
  private long tick;
  private int asked;

  /** What happens when somebody who looks for its turn looks at the clock. */
  private @Nullable Runnable whileLooking;

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
                    case "nanoTime", "roughNanoTime" -> now();
                    case "parkUntil" -> slept((long) arguments[2]);
                    case "unpark" -> unparked((Request) arguments[0]);
                    default -> null;
                  });

  private Object now() {
    asked++;
    clock += tick;
    if (whileLooking != null) {
      whileLooking.run();
    }
    return clock;
  }

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
    assertThat(farTurns(1_000, 600, 400, true)).isGreaterThan(700);
  }

  @Test
  void whereFewWaitItIsAlwaysTheNext() {
    // One is served before anybody is woken.
    for (int i = 0; i < AheadQueue.REACH + 1; i++) {
      enqueue();
    }
    assertThat(farTurns(50_000, 600, 400, true)).isZero();
    enqueue();
    assertThat(farTurns(50_000, 600, 400, true)).isGreaterThan(40_000);
  }

  @Test
  void aLineThatRunsDryNowAndThenIsNotMeasuredByThat() {
    int few = AheadQueue.REACH + 1;
    for (int i = 0; i < few; i++) {
      enqueue();
    }
    for (int round = 0; round < 2_000; round++) {
      enqueue();
      assertThat(farTurns(100, 600, 400, true)).isZero();
      Request last = line.removeLast();
      assertThat(queue.cancel(last)).isTrue();
      assertThat(farTurns(10, 600, 400, true)).isZero();
    }
    enqueue();
    assertThat(farTurns(100_000, 600, 5_000, false)).as("given up each time").isLessThan(2_500);
  }

  @Test
  void turnsAreCountedAlsoWhereOneSectionServesMany() {
    int batch = 8;
    PermitQueue many = new PermitQueue(batch, 0);
    int far = 0;
    int sections = 20_000;
    boolean isFar = false;
    List<Request> waiting = new ArrayList<>();
    for (int i = 0; i < sections; i++) {
      while (waiting.size() < WAITING) {
        Request request = new Request(1, host, "a task");
        many.enqueue(request, false);
        waiting.add(request);
      }
      wokenEarly.clear();
      assertThat(many.give(batch)).isTrue();
      waiting.subList(0, batch).clear();
      if (!wokenEarly.isEmpty()) {
        isFar = waiting.indexOf(wokenEarly.getFirst()) > 0;
        long before = clock;
        run(wokenEarly.getFirst());
        clock = before;
      }
      clock += isFar ? 8_000 : 4_000;
      far += isFar ? 1 : 0;
    }
    assertThat(far).as("half as fast, so only tried").isBetween(1, sections / 10);
  }

  @Test
  void whereNobodyMayLookNobodyIsWokenEarlyAndNoClockIsAsked() {
    spinning = false;
    enqueueAll();
    asked = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(turn()).isZero();
    }
    assertThat(asked).as("once for each that came").isEqualTo(10_000);
  }

  @Test
  void whoeverWasForeseenIsWokenNextIfItStillWaits() {
    Request foreseen = servedWhileItForesees(false);
    assertThat(wokenEarly).containsExactly(foreseen);
  }

  @Test
  void ifWhoeverWasForeseenHasLeftAnotherOneIsWoken() {
    Request foreseen = servedWhileItForesees(true);
    assertThat(wokenEarly).hasSize(1).doesNotContain(foreseen).first().matches(woken -> line.contains(woken));
  }

  /** Serves one who was woken far ahead in the midst of its look; returns whom it had found. */
  private Request servedWhileItForesees(boolean foreseenLeaves) {
    enqueueAll();
    farTurns(50_000, 600, 400, true);
    int distance = 0;
    while (distance != AheadQueue.REACH) {
      distance = turn();
    }
    Request looker = wokenEarly.getFirst();
    run(looker);
    while (line.peekFirst() != looker) {
      assertThat(turn()).isZero();
    }
    List<Request> found = new ArrayList<>();
    whileLooking =
        () -> {
          whileLooking = null;
          found.add(Objects.requireNonNull(looker.foreseen()));
          if (foreseenLeaves) {
            assertThat(queue.cancel(found.getFirst())).isTrue();
            line.remove(found.getFirst());
          }
          turn();
        };
    assertThat(looker.spins()).isTrue();
    assertThat(looker.foreseen()).as("whoever was served keeps nobody").isNull();
    return found.getFirst();
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
  void whoeverLooksInVainKeepsNobody() {
    enqueueAll();
    Request first = line.getFirst();
    first.lookLonger();
    List<Request> all = List.copyOf(line);
    List<@Nullable Request> found = new ArrayList<>();
    whileLooking = () -> found.add(first.foreseen());
    tick = WHILE_SPINNING;
    assertThat(first.spins()).isFalse();
    assertThat(found).isNotEmpty().containsOnly(all.get(AheadQueue.REACH));
    assertThat(first.foreseen()).isNull();
    Request last = line.getLast();
    last.lookLonger();
    found.clear();
    whileLooking = () -> found.add(last.foreseen());
    assertThat(last.spins()).isFalse();
    assertThat(found).as("nobody stands there").isNotEmpty().containsOnlyNulls();
  }
}
