// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Promise;
import dev.baton.sync.Semaphore;
import dev.baton.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that do what a run would rather they did not, on both engines. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // set by JUnit
class HostileTest {
  @Parameter Engine engine;

  private Cooperative world() {
    return Cooperative.create().engine(engine);
  }

  // ---- what is left ----

  @Test
  void tasksThatAreLeftAndNeverWaitAreInterrupted() throws Exception {
    List<String> events = new ArrayList<>();
    world()
        .run(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      Cooperative.yieldNow();
                    }
                    events.add("interrupted");
                  });
              return 1;
            });
    assertThat(events).containsExactly("interrupted");
  }

  @Test
  void tasksThatAreLeftAndDoNotHearAreThrownOut() throws Exception {
    List<String> events = new ArrayList<>();
    world()
        .run(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    try {
                      while (true) {
                        Cooperative.yieldNow();
                      }
                    } finally {
                      events.add("thrown out");
                    }
                  });
              return 1;
            });
    assertThat(events).containsExactly("thrown out");
  }

  @Test
  void aPermitOfASemaphoreFromOutsideComesBackFromADeadlock() {
    Semaphore outside = Semaphore.of(1);
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          Semaphore inside = Semaphore.of(1);
                          inside.acquire();
                          Scope.run(
                              scope -> {
                                scope.fork(
                                    () -> {
                                      outside.acquire();
                                      try {
                                        inside.acquire();
                                      } finally {
                                        outside.release();
                                      }
                                    });
                                scope.join();
                              });
                        }))
        .isInstanceOf(DeadlockException.class);
    assertThat(outside.available()).isEqualTo(1);
  }

  // ---- interrupts ----

  @Test
  void anInterruptOfTheCallerIsSeenByALoopThatNeverWaits() throws Exception {
    Thread caller = Thread.currentThread();
    String result =
        world()
            .run(
                () -> {
                  caller.interrupt();
                  while (!Thread.currentThread().isInterrupted()) {
                    Cooperative.yieldNow();
                  }
                  return "seen";
                });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("seen");
  }

  @Test
  void aCancelFromOutsideReachesATaskThatRunsAlone() throws Exception {
    Event never = new Event();
    for (int i = 0; i < 200; i++) {
      AtomicReference<Task<String>> task = new AtomicReference<>();
      Thread outside =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (task.get() == null) {
                      Thread.onSpinWait();
                    }
                    task.get().cancel();
                  });
      world()
          .run(
              () ->
                  Scope.run(
                      scope -> {
                        task.set(
                            scope.fork(
                                () -> {
                                  for (int j = 0; j < 300; j++) {
                                    Cooperative.yieldNow();
                                  }
                                  never.await();
                                  return "never";
                                }));
                        scope.join();
                      }));
      outside.join();
    }
  }

  @Test
  void whoeverWaitsForATaskThatIsOnItsWayOutMayBeInterrupted() throws Exception {
    List<String> order = new ArrayList<>();
    world()
        .run(
            () ->
                Scope.run(
                    outer -> {
                      Event go = new Event();
                      Event goOn = new Event();
                      Promise<Task<?>> last = new Promise<>();
                      Task<?> joiner =
                          outer.fork(
                              () ->
                                  Scope.run(
                                      scope -> {
                                        last.complete(scope.fork(() -> go.await()));
                                        scope.join();
                                      }));
                      Task<?> leaving = last.future().await();
                      yieldOften();
                      // Once it has its result, it goes on in a callback.
                      leaving.toCompletableFuture()
                          .thenRun(
                              () -> {
                                order.add("leaves");
                                goOn.awaitUninterruptibly();
                                order.add("gone");
                              });
                      go.set();
                      yieldOften();
                      assertThat(order).containsExactly("leaves");
                      joiner.cancel();
                      yieldOften();
                      goOn.set();
                      outer.join();
                    }));
    assertThat(order).containsExactly("leaves", "gone");
  }

  @RepeatedTest(50)
  void anInterruptAfterAWakeUpForNoReasonIsNotLost() throws Exception {
    Event never = new Event();
    CompletableFuture<Thread> started = new CompletableFuture<>();
    CompletableFuture<Void> run =
        OutsideTest.runAsync(
            world(),
            () -> {
              started.complete(Thread.currentThread());
              try {
                never.await();
              } catch (InterruptedException e) {
                return;
              }
            });
    Thread task = started.get(20, TimeUnit.SECONDS);
    awaitAsleep(never, task);
    // Now before the wake-up has been noticed, and now after.
    LockSupport.unpark(task);
    awaitAsleep(never, task);
    task.interrupt();
    run.get(20, TimeUnit.SECONDS);
  }

  @Test
  void anInterruptAtAnyMomentOfAWaitIsNoticedWhileOthersHandOver() throws Exception {
    int rounds = 2_000;
    Event never = new Event();
    AtomicInteger round = new AtomicInteger();
    CompletableFuture<Thread> waiter = new CompletableFuture<>();
    Thread outside = Thread.ofPlatform().start(() -> interruptEachRound(waiter.join(), round, rounds));
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      Task<Integer> interrupted = scope.fork(() -> awaitInVain(never, waiter, round, rounds));
                      Semaphore ping = Semaphore.unbounded(0);
                      Semaphore pong = Semaphore.unbounded(0);
                      scope.fork(() -> handOver(ping, pong, interrupted));
                      handOver(pong, ping, interrupted);
                      scope.join();
                      assertThat(interrupted.result()).isEqualTo(rounds);
                    }));
    outside.join();
  }

  @Test
  void anInterruptIsNoticedWhileTheTurnStaysWhereItIs() throws Exception {
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      Event never = new Event();
                      CompletableFuture<Thread> thread = new CompletableFuture<>();
                      Task<Integer> interrupted = scope.fork(() -> awaitInVain(never, thread, new AtomicInteger(), 1));
                      yieldUntilWaited(never);
                      thread.join().interrupt();
                      // Nobody else can go on, so that each of these keeps the turn.
                      while (!interrupted.isDone()) {
                        Cooperative.yieldNow();
                      }
                      scope.join();
                    }));
  }

  @Test
  void timeDoesNotMoveWhileOneThatWasInterruptedCouldGoOn() throws Exception {
    assumeTrue(engine == Engine.STEPPED, "on the portable engine an interrupt of the thread comes when it comes");
    Duration late =
        world()
            .run(
                () ->
                    Scope.call(
                        scope -> {
                          Event never = new Event();
                          CompletableFuture<Thread> thread = new CompletableFuture<>();
                          Instant start = Time.now();
                          Task<Instant> interrupted =
                              scope.fork(
                                  () -> {
                                    awaitInVain(never, thread, new AtomicInteger(), 1);
                                    return Time.now();
                                  });
                          yieldUntilWaited(never);
                          thread.join().interrupt();
                          Time.sleep(Duration.ofHours(1));
                          assertThat(interrupted.isDone()).isTrue();
                          scope.join();
                          return Duration.between(start, interrupted.result());
                        }));
    assertThat(late).isZero();
  }

  private static void yieldUntilWaited(Event event) {
    while (event.waiting() == 0) {
      Cooperative.yieldNow();
    }
  }

  private static void interruptEachRound(Thread target, AtomicInteger round, int rounds) {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 1; i <= rounds; i++) {
      while (round.get() < i) {
        Thread.onSpinWait();
      }
      for (int spins = random.nextInt(200); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      target.interrupt();
    }
  }

  private static int awaitInVain(Event never, CompletableFuture<Thread> self, AtomicInteger round, int rounds) {
    self.complete(Thread.currentThread());
    int interrupted = 0;
    while (interrupted < rounds) {
      round.incrementAndGet();
      try {
        never.await();
      } catch (InterruptedException e) {
        interrupted++;
      }
    }
    return interrupted;
  }

  /** One side of two that pass permits to and fro until {@code ended} has. The other side is let go when it has. */
  private static @Nullable Void handOver(Semaphore mine, Semaphore other, Task<?> ended) throws InterruptedException {
    while (!ended.isDone()) {
      other.release();
      mine.acquire();
    }
    other.release();
    return null;
  }

  private static void awaitAsleep(Event event, Thread task) {
    while (event.waiting() == 0 || task.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void yieldOften() {
    for (int i = 0; i < 20; i++) {
      Cooperative.yieldNow();
    }
  }

  // ---- policies ----

  @Test
  void aPolicyThatThrowsEndsTheRunWhereverItIsAsked() throws Exception {
    for (int i = 0; i < 20; i++) {
      int at = i;
      Policy policy =
          () -> {
            AtomicInteger asked = new AtomicInteger();
            return candidates -> {
              if (asked.getAndIncrement() == at) {
                throw new IllegalArgumentException("policy");
              }
              return 0;
            };
          };
      List<Thread> threads = new ArrayList<>();
      CompletableFuture<Void> run = OutsideTest.runAsync(world().policy(policy), () -> busy(threads));
      assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS)).as("choice %s", at).hasRootCauseMessage("policy");
      for (Thread thread : threads) {
        assertThat(thread.join(World.PATIENCE)).as("%s ends at %s", thread, at).isTrue();
      }
    }
  }

  private static void busy(List<Thread> threads) throws Exception {
    Scope.run(
        scope -> {
          Semaphore permits = Semaphore.of(2);
          Event go = new Event();
          for (int i = 0; i < 4; i++) {
            scope.fork(
                () -> {
                  threads.add(Thread.currentThread());
                  go.await();
                  permits.withPermit(() -> Time.sleep(Duration.ofMillis(1)));
                  return null;
                });
          }
          go.set();
          scope.join();
        });
  }

  // ---- listeners ----

  @Test
  void aStepListenerThatThrowsIsHeardOf() {
    Cooperative world = world().onStep(step -> { throw new IllegalArgumentException("listener"); });
    assertThatThrownBy(() -> world.run(() -> busy(new ArrayList<>()))).hasMessage("listener");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStallListenerThatThrowsEndsTheRun(boolean waitsOnItsOwn) throws Exception {
    Event outside = new Event();
    CountDownLatch told = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    CompletableFuture<Void> run =
        OutsideTest.runAsync(
            world()
                .stallAfter(Duration.ofMillis(20))
                .onStall(
                    stall -> {
                      told.countDown();
                      throw new IllegalArgumentException("listener");
                    }),
            () -> {
              threads.add(Thread.currentThread());
              if (waitsOnItsOwn) {
                told.await();
              } else {
                outside.await();
              }
            });
    assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("listener");
    assertThat(threads.getFirst().join(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void aStallMayTakeForEver() throws Exception {
    assertThat(world().stallAfter(Duration.ofSeconds(Long.MAX_VALUE)).run(() -> 42)).isEqualTo(42);
    assertThat(world().stallAfter(Duration.ofNanos(Long.MAX_VALUE)).run(() -> 42)).isEqualTo(42);
  }

  // ---- the end ----

  @Test
  void aTaskThatCatchesEverythingDoesNotKeepTheRunFromEnding() throws Exception {
    BlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();
    Cooperative world = world().onStall(stalls::add);
    List<String> ended = new ArrayList<>();
    world.run(
        () -> {
          Scope left = Scope.open();
          Semaphore none = Semaphore.unbounded(0);
          left.fork(() -> catchEverything(none));
          left.fork(
              () -> {
                try {
                  none.acquire();
                } finally {
                  ended.add("the other one");
                }
                return null;
              });
          yieldOften();
        });
    assertThat(ended).containsExactly("the other one");
    assertThat(stalls.poll().reason()).contains("left behind");
    assertThatThrownBy(() -> world.run(() -> catchEverything(Semaphore.unbounded(0)))).isInstanceOf(DeadlockException.class);
  }

  private static void catchEverything(Semaphore none) {
    while (true) {
      try {
        none.acquire();
      } catch (Throwable everything) {
        // A worker that goes on whatever happens.
      }
    }
  }

  @Test
  void cleaningUpMayTakeTimeOnTheRealClock() throws Exception {
    List<String> events = new ArrayList<>();
    world()
        .clock(Clock.real())
        .run(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    try {
                      new Event().await();
                    } catch (InterruptedException e) {
                      Time.sleep(Duration.ofMillis(20));
                      events.add("cleaned up");
                    }
                    return null;
                  });
              Cooperative.yieldNow();
              Cooperative.yieldNow();
            });
    assertThat(events).containsExactly("cleaned up");
  }

  @Test
  void cleaningUpMayWaitForTheOutside() throws Exception {
    List<String> events = new ArrayList<>();
    Event asked = new Event();
    Event answered = new Event();
    Thread outside =
        Thread.ofPlatform()
            .start(
                () -> {
                  asked.awaitUninterruptibly();
                  answered.set();
                });
    world()
        .run(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    try {
                      new Event().await();
                    } catch (InterruptedException e) {
                      asked.set();
                      answered.await();
                      events.add("cleaned up");
                    }
                    return null;
                  });
              Cooperative.yieldNow();
              Cooperative.yieldNow();
            });
    outside.join();
    assertThat(events).containsExactly("cleaned up");
  }

  @Test
  void cleaningUpThatWaitsForTheOutsideInVainIsEnded() throws Exception {
    Event never = new Event();
    List<String> events = new ArrayList<>();
    world()
        .stallAfter(Duration.ofMillis(50))
        .run(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    try {
                      never.awaitUninterruptibly();
                    } finally {
                      events.add("thrown out");
                    }
                    return null;
                  });
              Cooperative.yieldNow();
              Cooperative.yieldNow();
            });
    assertThat(events).containsExactly("thrown out");
  }

  // ---- time ----

  @Test
  void centuriesPass() throws Exception {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE - 1);
    Duration slept =
        world()
            .run(
                () -> {
                  Instant start = Time.now();
                  Time.sleep(longest);
                  Time.sleep(longest);
                  Time.sleep(Duration.ofHours(1));
                  return Duration.between(start, Time.now());
                });
    assertThat(slept).isEqualTo(longest.plus(longest).plusHours(1));
  }

  @Test
  void timeStandsStillInTheEnd() throws Exception {
    Instant last = world().clock(Clock.virtual(Instant.MAX)).run(() -> { Time.sleep(Duration.ofDays(1)); return Time.now(); });
    assertThat(last).isEqualTo(Instant.MAX);
  }

  @Test
  void longSleepsAndShortOnesAreInOrder() throws Exception {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE - 1);
    List<String> order = new ArrayList<>();
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      scope.fork(() -> sleep(order, Duration.ofDays(1), Duration.ofDays(2)));
                      scope.fork(() -> sleep(order, longest));
                      scope.fork(() -> sleep(order, Duration.ofDays(2), longest));
                      scope.join();
                    }));
    assertThat(order).containsExactly("PT24H", "PT48H", "PT48H", longest.toString(), longest.toString());
  }

  private static void sleep(List<String> order, Duration... times) throws InterruptedException {
    for (Duration time : times) {
      Time.sleep(time);
      order.add(time.toString());
    }
  }
}
