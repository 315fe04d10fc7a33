// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.Channel;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.SteppedWorld;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // nulls are given on purpose
class ParallelTest extends InEveryWorld {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  private final Semaphore never = Semaphore.unbounded(0);
  private final AtomicInteger pulled = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private volatile int mostPulled = Integer.MAX_VALUE;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private int size(int onThreads, int stepped) {
    return kind == Worlds.STEPPED ? stepped : onThreads;
  }

  /** 0, 1, 2 and so on, without end, counted as they are pulled, by one thread at a time. */
  private Iterator<Integer> numbers() {
    AtomicBoolean inside = new AtomicBoolean();
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public Integer next() {
        assertThat(inside.compareAndSet(false, true)).as("alone in the source").isTrue();
        // A task is started only when it may run: nothing is pulled for later.
        assertThat(pulled.incrementAndGet() - ended.get()).isLessThanOrEqualTo(mostPulled);
        int number = next++;
        inside.set(false);
        return number;
      }
    };
  }

  private Iterator<Integer> numbers(int end) {
    Iterator<Integer> all = numbers();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return pulled.get() < end;
      }

      @Override
      public Integer next() {
        return all.next();
      }
    };
  }

  private <T> T counted(Callable<T> body) throws Exception {
    threads.add(Thread.currentThread());
    begun.incrementAndGet();
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      return body.call();
    } finally {
      running.decrementAndGet();
    }
  }

  private void waitForEver() throws Exception {
    counted(
        () -> {
          never.acquire();
          return null;
        });
  }

  private void assertNothingLeft() {
    assertThat(never.waiting()).isZero();
    assertThat(running).hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
    if (world() instanceof SteppedWorld stepped) {
      assertThat(stepped.host().alarms()).isZero();
    }
  }

  // ---- the promises ----

  @Test
  void pattern07_neverMoreThanTheLimitRunAndResultsKeepTheOrderOfTheItems() {
    int items = size(100_000, 60);
    int limit = size(64, 4);
    mostPulled = limit;
    world().takeTurns();
    Actor<List<Integer>> caller =
        world()
            .call(
                "caller",
                () ->
                    Parallel.map(
                        numbers(items),
                        limit,
                        number ->
                            counted(
                                () -> {
                                  if (number % 7 == 0) {
                                    new Event().isSet();
                                  }
                                  ended.incrementAndGet();
                                  return 2 * number;
                                })));
    assertThat(caller.result()).isEqualTo(IntStream.range(0, items).map(i -> 2 * i).boxed().toList());
    assertThat(most.get()).isBetween(1, limit);
    assertThat(begun).hasValue(items);
    assertNothingLeft();
  }

  @Test
  void pattern07_asManyAsMayRunDoRunAndNoMoreIsPulled() {
    Actor<Void> caller = world().start("caller", () -> Parallel.forEach(numbers(), 5, number -> waitForEver()));
    Eventually.holds(world(), () -> running.get() == 5);
    world().settle();
    assertThat(pulled).hasValue(5);
    world().start("let two end", () -> never.release(2)).result();
    Eventually.holds(world(), () -> never.waiting() == 5);
    assertThat(pulled).hasValue(7);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(pulled).hasValue(7);
    assertNothingLeft();
  }

  @Test
  void pattern07_nothingIsStartedAfterAFailure() {
    int bad = size(1_000, 10);
    world().takeTurns();
    IllegalStateException failure = new IllegalStateException("a bad item");
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        numbers(),
                        4,
                        number ->
                            counted(
                                () -> {
                                  if (number == bad) {
                                    throw failure;
                                  }
                                  return number > bad ? never.tryAcquire() : null;
                                })));
    assertThat(caller.failure()).isSameAs(failure);
    int pulledThen = pulled.get();
    int begunThen = begun.get();
    assertNothingLeft();
    world().settle();
    assertThat(pulled).hasValue(pulledThen);
    assertThat(begun).hasValue(begunThen);
    assertThat(begunThen).isLessThanOrEqualTo(pulledThen);
  }

  @Test
  void pattern08_oneFailureSurfacesAsItIsAndAllThatBeganHaveEnded() {
    IOException failure = new IOException("the first");
    IllegalStateException later = new IllegalStateException("on the way out");
    Event go = new Event();
    Actor<Object> caller =
        world()
            .call(
                "caller",
                () ->
                    Parallel.map(
                        List.of("waits", "waits and fails", "fails"),
                        3,
                        item -> {
                          if (item.equals("fails")) {
                            go.await();
                            throw failure;
                          }
                          try {
                            waitForEver();
                          } catch (InterruptedException e) {
                            if (item.equals("waits and fails")) {
                              throw later;
                            }
                            throw e;
                          }
                          return 1;
                        }));
    Eventually.holds(world(), () -> never.waiting() == 2);
    world().start("go", go::set).result();
    assertThat(caller.failure()).isSameAs(failure);
    assertThat(failure.getSuppressed()).containsExactly(later);
    assertThat(caller.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  // ---- cancellation ----

  @Test
  void anInterruptedCallerCancelsAllAndWaitsForThem() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        numbers(),
                        3,
                        number -> {
                          try {
                            waitForEver();
                          } finally {
                            ended.incrementAndGet();
                          }
                        }));
    Eventually.holds(world(), () -> never.waiting() == 3);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(caller.endedInterrupted()).isFalse();
    assertThat(ended).hasValue(3);
    assertNothingLeft();
  }

  @Test
  void aCallerThatIsInterruptedAlreadyPullsNothing() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () -> {
                  Thread.currentThread().interrupt();
                  Parallel.forEach(numbers(), 3, number -> waitForEver());
                });
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(pulled).hasValue(0);
  }

  @Test
  void tasksThatSwallowTheInterruptEndTheRunAllTheSame() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        numbers(),
                        2,
                        number -> {
                          try {
                            waitForEver();
                          } catch (InterruptedException swallowed) {
                            // on with the next, if there were one
                          }
                        }));
    Eventually.holds(world(), () -> never.waiting() == 2);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(begun).hasValue(2);
    assertNothingLeft();
  }

  @Test
  void aDeadlineAroundTheCallerEndsIt() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Scope.run(
                        scope -> {
                          scope.deadline(SHORT);
                          Parallel.forEach(
                              numbers(),
                              2,
                              number -> {
                                assertThat(Scope.timeLeft()).isPresent();
                                waitForEver();
                              });
                        }));
    world().pass(SHORT.multipliedBy(2));
    assertThat(caller.failure()).isInstanceOf(DeadlineExceededException.class);
    assertThat(caller.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  // ---- the source ----

  @Test
  void aSlowSourceIsWaitedForByOneAndServedByAll() {
    Channel<Integer> source = Channel.rendezvous();
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        source,
                        3,
                        number -> {
                          seen.add(number);
                          if (number % 2 == 1) {
                            waitForEver();
                          }
                        }));
    for (int i = 0; i < 6; i++) {
      int number = i;
      world().start("send", () -> source.send(number));
    }
    Eventually.holds(world(), () -> never.waiting() == 3);
    assertThat(seen).contains(0, 1, 2, 3, 4, 5);
    assertThat(source.waitingReceivers()).isLessThanOrEqualTo(1);
    world().start("let them go", () -> never.release(3)).result();
    world().start("close", source::close).result();
    caller.result();
    assertNothingLeft();
  }

  @Test
  void aFailureReachesTheCallerThatWaitsForTheSource() {
    Channel<Integer> source = Channel.rendezvous();
    IOException failure = new IOException("a task");
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        source,
                        2,
                        number -> {
                          throw failure;
                        }));
    world().start("send", () -> source.send(1)).result();
    assertThat(caller.failure()).isSameAs(failure);
    assertThat(caller.endedInterrupted()).isFalse();
    assertThat(source.waitingReceivers()).isZero();
  }

  @Test
  void anInterruptReachesTheCallerThatWaitsForTheSource() {
    Channel<Integer> source = Channel.rendezvous();
    Actor<Void> caller = world().start("caller", () -> Parallel.forEach(source, 2, number -> waitForEver()));
    world().start("send", () -> source.send(1)).result();
    Eventually.holds(world(), () -> never.waiting() == 1 && source.waitingReceivers() == 1);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(source.waitingReceivers()).isZero();
    assertNothingLeft();
  }

  @Test
  void anErrorOfTheSourceIsThrownItself() {
    IllegalStateException failure = new IllegalStateException("the source");
    for (int at : new int[] {0, 1, 5}) {
      AtomicInteger asked = new AtomicInteger();
      Stream<Integer> source =
          Stream.generate(
              () -> {
                if (asked.get() == at) {
                  throw failure;
                }
                return asked.getAndIncrement();
              });
      Actor<Void> caller =
          world().start("caller", () -> Parallel.forEach(source, 2, number -> counted(() -> number)));
      assertThat(caller.failure()).isSameAs(failure);
      assertNothingLeft();
    }
  }

  // ---- threads ----

  @Test
  void thereAreNoMoreThreadsThanItems() {
    Actor<List<Integer>> caller =
        world().call("caller", () -> Parallel.map(List.of(1, 2, 3), 64, number -> counted(() -> number + 1)));
    assertThat(caller.result()).containsExactly(2, 3, 4);
    assertThat(threads.size()).isBetween(1, 3);
    Actor<List<Object>> nothing = world().call("nothing", () -> Parallel.map(List.of(), 64, item -> item));
    assertThat(nothing.result()).isEmpty();
  }

  @Test
  void anInterruptThatATaskLeavesBehindIsNotSeenByTheNext() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        numbers(20),
                        2,
                        number ->
                            counted(
                                () -> {
                                  assertThat(Thread.currentThread().isInterrupted()).isFalse();
                                  Thread.currentThread().interrupt();
                                  return null;
                                })));
    caller.result();
    assertThat(begun).hasValue(20);
    assertThat(caller.endedInterrupted()).isFalse();
  }

  @Test
  void nobodyIsStarvedByThoseWhoNeverPause() {
    Assumptions.assumeTrue(kind != Worlds.STEPPED, "these are preempted or take turns");
    int limit = 4 * Runtime.getRuntime().availableProcessors();
    Set<Integer> first = ConcurrentHashMap.newKeySet();
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    Parallel.forEach(
                        numbers(),
                        limit,
                        number -> {
                          if (number < limit && first.add(number) && first.size() == limit) {
                            throw new IOException("all of the first have begun");
                          }
                        }));
    assertThat(caller.failure()).isInstanceOf(IOException.class);
  }

  @Test
  void tasksHaveTheContextOfTheCaller() {
    Actor<List<String>> caller =
        world()
            .call(
                "caller",
                () ->
                    ScopedValue.where(USER, "ann")
                        .call(
                            () ->
                                Scope.call(
                                    scope -> {
                                      scope.carry(USER);
                                      return Parallel.map(numbers(5), 2, number -> USER.get() + number);
                                    })));
    assertThat(caller.result()).containsExactly("ann0", "ann1", "ann2", "ann3", "ann4");
  }

  @Test
  void runsMayBeNested() {
    Actor<List<List<Integer>>> caller =
        world()
            .call(
                "caller",
                () ->
                    Parallel.map(
                        List.of(1, 2, 3),
                        2,
                        outer -> Parallel.map(Stream.of(10, 20), 2, inner -> outer * inner)));
    assertThat(caller.result()).containsExactly(List.of(10, 20), List.of(20, 40), List.of(30, 60));
  }

  @Test
  void nullsAreItemsAndResultsLikeOthers() {
    Actor<List<Object>> caller =
        world().call("caller", () -> Parallel.map(Arrays.asList(1, null, 3), 2, item -> item == null ? 0 : null));
    assertThat(caller.result()).containsExactly(null, 0, null);
    assertThatThrownBy(() -> caller.result().set(0, 1)).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void badArgumentsAreRefusedBeforeAnythingIsPulled() {
    for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Parallel.forEach(numbers(), limit, number -> waitForEver()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(limit));
    }
    assertThatThrownBy(() -> Parallel.map((List<Integer>) null, 1, item -> item)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Parallel.map((Iterator<Integer>) null, 1, item -> item)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Parallel.map((Stream<Integer>) null, 1, item -> item)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Parallel.map(numbers(), 1, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Parallel.forEach(numbers(), 1, null)).isInstanceOf(NullPointerException.class);
    assertThat(pulled).hasValue(0);
  }
}
