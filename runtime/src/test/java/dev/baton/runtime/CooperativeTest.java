// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.observe.WaitGraph;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a cooperative run promises, on both engines. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // set by JUnit; and null where null is refused
class CooperativeTest {
  @Parameter Engine engine;

  private Cooperative world() {
    return Cooperative.create().engine(engine);
  }

  // ---- results ----

  @Test
  void returnsWhatTheProgramReturns() throws Exception {
    assertThat(world().run(() -> 42)).isEqualTo(42);
  }

  @Test
  void throwsWhatTheProgramThrows() {
    assertThatThrownBy(() -> world().run(() -> { throw new IOException("disk"); })).isInstanceOf(IOException.class).hasMessage("disk");
    assertThatThrownBy(() -> world().run(() -> { throw new AssertionError("wrong"); })).isInstanceOf(AssertionError.class);
  }

  @Test
  void runsVoidPrograms() throws Exception {
    AtomicInteger count = new AtomicInteger();
    world().run(() -> { count.incrementAndGet(); });
    assertThat(count).hasValue(1);
  }

  // ---- policies ----

  private List<String> order(Policy policy) throws Exception {
    List<String> order = new ArrayList<>();
    world()
        .policy(policy)
        .run(
            () ->
                Scope.run(
                    scope -> {
                      for (String name : List.of("a", "b", "c")) {
                        scope.fork(
                            () -> {
                              for (int i = 1; i <= 3; i++) {
                                Cooperative.yieldNow();
                                order.add(name + i);
                              }
                              return null;
                            });
                      }
                      scope.join();
                    }));
    return order;
  }

  @Test
  void roundRobinLetsEverybodyInTurn() throws Exception {
    // Each fork is a switch point too: the first task is a step ahead of the second, and that of the third.
    assertThat(order(Policy.roundRobin())).containsExactly("a1", "a2", "b1", "a3", "b2", "c1", "b3", "c2", "c3");
  }

  @Test
  void runToBlockInterruptsNobody() throws Exception {
    assertThat(order(Policy.runToBlock())).containsExactly("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3");
  }

  @Test
  void aSeedGivesOneOrderAndOthersGiveOthers() throws Exception {
    assertThat(order(Policy.seeded(7))).isEqualTo(order(Policy.seeded(7)));
    List<List<String>> orders = new ArrayList<>();
    for (int seed = 0; seed < 20; seed++) {
      orders.add(order(Policy.seeded(seed)));
    }
    assertThat(orders.stream().distinct().count()).isGreaterThan(10);
  }

  @Test
  void aPolicyThatChoosesNobodyIsRefused() {
    assertThatThrownBy(() -> order(() -> candidates -> candidates.size()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("The policy chose number");
  }

  @Test
  void higherPrioritiesGoFirst() throws Exception {
    List<Priority> order = new ArrayList<>();
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      assertThat(Cooperative.priority()).isEqualTo(Priority.NORMAL);
                      Cooperative.setPriority(Priority.HIGH);
                      Event go = new Event();
                      for (Priority priority : List.of(Priority.IDLE, Priority.NORMAL, Priority.HIGH)) {
                        scope.fork(
                            () -> {
                              Cooperative.setPriority(priority);
                              go.await();
                              for (int i = 0; i < 3; i++) {
                                Cooperative.yieldNow();
                                order.add(priority);
                              }
                              return null;
                            });
                      }
                      Cooperative.setPriority(Priority.IDLE);
                      Cooperative.yieldNow();
                      Cooperative.setPriority(Priority.HIGH);
                      go.set();
                      scope.join();
                    }));
    assertThat(order).hasSize(9).isSortedAccordingTo((a, b) -> b.compareTo(a));
  }

  @Test
  void aForkInheritsThePriorityOfWhoeverForks() throws Exception {
    Priority inherited =
        world()
            .run(
                () -> {
                  Cooperative.setPriority(Priority.IDLE);
                  return Scope.call(scope -> scope.fork(Cooperative::priority).await());
                });
    assertThat(inherited).isEqualTo(Priority.IDLE);
  }

  // ---- time ----

  @Test
  void virtualTimeJumpsToTheNextTimer() throws Exception {
    List<String> order = new ArrayList<>();
    Instant end =
        world()
            .clock(Clock.virtual(Instant.parse("2030-01-01T00:00:00Z")))
            .run(
                () -> {
                  Scope.run(
                      scope -> {
                        for (int hours : new int[] {3, 1, 2}) {
                          scope.fork(
                              () -> {
                                Time.sleep(Duration.ofHours(hours));
                                order.add(hours + "h at " + Time.now());
                                return null;
                              });
                        }
                        scope.join();
                      });
                  return Time.now();
                });
    assertThat(order)
        .containsExactly("1h at 2030-01-01T01:00:00Z", "2h at 2030-01-01T02:00:00Z", "3h at 2030-01-01T03:00:00Z");
    assertThat(end).isEqualTo("2030-01-01T03:00:00Z");
  }

  @Test
  void aThousandTasksThatSleepForHoursAreDoneAtOnce() throws Exception {
    long start = System.nanoTime();
    Duration slept =
        world()
            .run(
                () -> {
                  Instant begin = Time.now();
                  Scope.run(
                      scope -> {
                        for (int i = 0; i < 1_000; i++) {
                          int hours = 1 + i % 24;
                          scope.fork(() -> { Time.sleep(Duration.ofHours(hours)); return null; });
                        }
                        scope.join();
                      });
                  return Duration.between(begin, Time.now());
                });
    assertThat(slept).isEqualTo(Duration.ofHours(24));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void timeOutsAndDeadlinesAreInVirtualTime() throws Exception {
    boolean taken =
        world()
            .run(
                () -> {
                  Semaphore semaphore = Semaphore.of(1);
                  semaphore.acquire();
                  boolean got = semaphore.tryAcquire(Duration.ofDays(365));
                  semaphore.release();
                  return got;
                });
    assertThat(taken).isFalse();
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          Scope.run(
                              scope -> {
                                scope.deadline(Duration.ofDays(30));
                                scope.fork(() -> { Time.sleep(Duration.ofDays(31)); return null; });
                                scope.join();
                              });
                        }))
        .hasMessageContaining("deadline");
  }

  @Test
  void realTimeIsTheMachines() throws Exception {
    Instant before = Instant.now();
    Instant inside = world().clock(Clock.real()).run(() -> { Time.sleep(Duration.ofMillis(30)); return Time.now(); });
    assertThat(inside).isBetween(before.plusMillis(30), Instant.now());
  }

  // ---- the outside ----

  @Test
  void whatHappensOutsideArrives() throws Exception {
    Semaphore shared = Semaphore.unbounded(0);
    CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS, Thread::startVirtualThread).execute(shared::release);
    world().run(() -> { shared.acquire(); });
    assertThat(shared.available()).isZero();
  }

  @Test
  void tasksAndThreadsShareASemaphore() throws Exception {
    Semaphore shared = Semaphore.of(2);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Runnable section =
        () -> {
          for (int i = 0; i < 200; i++) {
            shared.acquireUninterruptibly();
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Cooperative.yieldNow();
            inside.decrementAndGet();
            shared.release();
          }
        };
    List<Thread> threads = IntStream.range(0, 3).mapToObj(i -> Thread.startVirtualThread(section)).toList();
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      for (int i = 0; i < 3; i++) {
                        scope.fork(() -> { section.run(); return null; });
                      }
                      scope.join();
                    }));
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isBetween(1, 2);
    assertThat(shared.available()).isEqualTo(2);
  }

  @Test
  void virtualTimeStandsStillWhileTheOutsideIsAwaited() throws Exception {
    Promise<String> answer = new Promise<>();
    CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS, Thread::startVirtualThread).execute(() -> answer.complete("yes"));
    List<String> order = new ArrayList<>();
    world()
        .run(
            () ->
                Scope.run(
                    scope -> {
                      scope.fork(() -> { Time.sleep(Duration.ofHours(1)); order.add("an hour later"); return null; });
                      scope.fork(() -> { order.add(answer.future().await()); return null; });
                      scope.join();
                    }));
    assertThat(order).containsExactly("yes", "an hour later");
  }

  @Test
  void anInterruptOfTheCallerReachesTheProgram() throws Exception {
    Event outside = new Event();
    Thread caller = Thread.currentThread();
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          caller.interrupt();
                          outside.await();
                        }))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aCallerThatIsInterruptedBeginsNothing() {
    List<String> begun = new ArrayList<>();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> world().run(() -> begun.add("yes"))).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(begun).isEmpty();
  }

  // ---- the end ----

  @Test
  void aDeadlockIsFoundAndDescribed() {
    DeadlockException deadlock =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            DeadlockException.class,
            () ->
                world()
                    .run(
                        () -> {
                          Mutex left = new Mutex();
                          Mutex right = new Mutex();
                          Scope.run(
                              scope -> {
                                scope.fork(() -> both(left, right));
                                scope.fork(() -> both(right, left));
                                scope.join();
                              });
                        }));
    List<List<WaitGraph.Wait>> cycles = deadlock.graph().cycles();
    assertThat(cycles).hasSize(1);
    assertThat(cycles.getFirst()).hasSize(2);
    assertThat(cycles.getFirst().getFirst().line()).hasValueSatisfying(line -> assertThat(line.getMethodName()).isEqualTo("both"));
    assertThat(deadlock).hasMessageContaining("Mutex 1").hasMessageContaining("Mutex 2").hasMessageContaining("CooperativeTest.java");
  }

  private static Object both(Mutex first, Mutex second) throws InterruptedException {
    first.lockInterruptibly();
    try {
      Time.sleep(Duration.ofSeconds(1));
      second.lockInterruptibly();
      second.unlock();
    } finally {
      first.unlock();
    }
    return "both";
  }

  @Test
  void waitingForATaskThatWaitsForWhatOneHoldsIsACycle() {
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          Mutex mutex = new Mutex();
                          mutex.lock();
                          Scope.run(
                              scope -> {
                                Task<Object> child = scope.fork(() -> { mutex.lockInterruptibly(); return null; });
                                child.await();
                              });
                        }))
        .isInstanceOfSatisfying(
            DeadlockException.class, deadlock -> assertThat(deadlock.graph().cycles()).isNotEmpty());
  }

  @Test
  void nothingIsLeftAfterADeadlock() {
    List<Thread> threads = new ArrayList<>();
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () ->
                            Scope.run(
                                scope -> {
                                  Event never = new Event();
                                  for (int i = 0; i < 3; i++) {
                                    scope.fork(() -> { threads.add(Thread.currentThread()); never.await(); return null; });
                                  }
                                  scope.join();
                                })))
        .isInstanceOf(DeadlockException.class);
    assertThat(threads).hasSize(3);
    threads.forEach(CooperativeTest::assertEnds);
  }

  @Test
  void clauseFinallyRunsWhenATaskIsThrownOut() {
    List<String> cleanedUp = new ArrayList<>();
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          try {
                            new Event().await();
                          } finally {
                            cleanedUp.add("yes");
                          }
                        }))
        .isInstanceOf(DeadlockException.class);
    assertThat(cleanedUp).containsExactly("yes");
  }

  @Test
  void tasksThatAreLeftAreInterruptedAndMayCleanUp() throws Exception {
    List<String> events = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    world()
        .run(
            () -> {
              // Never closed.
              Scope scope = Scope.open();
              scope.fork(
                  () -> {
                    threads.add(Thread.currentThread());
                    try {
                      new Event().await();
                    } catch (InterruptedException e) {
                      Time.sleep(Duration.ofMinutes(1));
                      events.add("cleaned up");
                    }
                    return null;
                  });
              Cooperative.yieldNow();
              Cooperative.yieldNow();
            });
    assertThat(events).containsExactly("cleaned up");
    threads.forEach(CooperativeTest::assertEnds);
  }

  private static void assertEnds(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(10))).as("%s has ended", thread).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- interrupts ----

  @Test
  void aCancelledTaskIsInterruptedWhereverItWaits() throws Exception {
    String result =
        world()
            .run(
                () ->
                    Scope.call(
                        scope -> {
                          List<String> seen = new ArrayList<>();
                          Task<Object> task =
                              scope.fork(
                                  () -> {
                                    try {
                                      new Semaphore[] {Semaphore.unbounded(0)}[0].acquire();
                                    } catch (InterruptedException e) {
                                      seen.add("interrupted, flag " + Thread.currentThread().isInterrupted());
                                    }
                                    return null;
                                  });
                          Cooperative.yieldNow();
                          Cooperative.yieldNow();
                          task.cancel();
                          scope.join();
                          return seen.toString();
                        }));
    assertThat(result).isEqualTo("[interrupted, flag false]");
  }

  @Test
  void theInterruptFlagBelongsToTheTask() throws Exception {
    List<Boolean> flags =
        world()
            .run(
                () ->
                    Scope.call(
                        scope -> {
                          List<Boolean> seen = new ArrayList<>();
                          scope.fork(() -> { Cooperative.yieldNow(); seen.add(Thread.currentThread().isInterrupted()); return null; });
                          Thread.currentThread().interrupt();
                          Cooperative.yieldNow();
                          Cooperative.yieldNow();
                          Cooperative.yieldNow();
                          seen.add(Thread.interrupted());
                          scope.join();
                          return seen;
                        }));
    assertThat(flags).containsExactly(false, true);
  }

  @Test
  void aThreadThatIsInterruptedByItselfWakesItsTask() throws Exception {
    String result =
        world()
            .run(
                () ->
                    Scope.call(
                        scope -> {
                          Promise<Thread> thread = new Promise<>();
                          Task<String> sleeper =
                              scope.fork(
                                  () -> {
                                    thread.complete(Thread.currentThread());
                                    try {
                                      new Event().await();
                                      return "no";
                                    } catch (InterruptedException e) {
                                      return "interrupted";
                                    }
                                  });
                          Thread target = thread.future().await();
                          Cooperative.yieldNow();
                          Cooperative.yieldNow();
                          target.interrupt();
                          // From outside, as far as a run can tell: it arrives while somebody waits for the outside.
                          Time.sleep(Duration.ofMillis(1));
                          return sleeper.await();
                        }));
    assertThat(result).isEqualTo("interrupted");
  }

  // ---- bad input ----

  @Test
  void refusesBadInput() {
    assertThatThrownBy(() -> world().stallAfter(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> world().policy(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> world().clock(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(Cooperative::priority).isInstanceOf(IllegalStateException.class).hasMessageContaining("not a task");
    assertThatThrownBy(() -> Cooperative.setPriority(Priority.HIGH)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> world().run(() -> world().run(() -> 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("going on already");
    Cooperative.yieldNow();
  }

  @Test
  void stepsAreTold() throws Exception {
    List<String> steps = new ArrayList<>();
    world()
        .onStep(step -> steps.add(step.toString()))
        .run(
            () -> {
              Mutex mutex = new Mutex();
              Semaphore semaphore = Semaphore.of(1);
              mutex.lock();
              semaphore.acquire();
              semaphore.release();
              mutex.unlock();
            });
    assertThat(steps).containsExactly("1  main  Mutex 1", "2  main  Semaphore 1", "3  main  Semaphore 1", "4  main  Mutex 1");
  }

  @Test
  void whatHasTwoSidesHasOneName() throws Exception {
    List<String> steps = new ArrayList<>();
    world()
        .onStep(step -> steps.add(step.primitive()))
        .run(
            () -> {
              RwLock rw = new RwLock();
              rw.readLock().lock();
              rw.readLock().unlock();
              rw.writeLock().guard().close();
              Promise<String> promise = new Promise<>();
              promise.complete("kept");
              promise.future().await();
            });
    assertThat(steps).containsExactly("RwLock 1", "RwLock 1", "RwLock 1", "RwLock 1", "Promise 1", "Promise 1");
  }
}
