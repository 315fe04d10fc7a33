// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Engine;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // a null is given on purpose
class CheckTest {

  // ---- programs ----

  private static void inversion() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> left.withLock(() -> right.withLock(() -> 1)));
          scope.fork(() -> right.withLock(() -> left.withLock(() -> 2)));
          scope.join();
        });
  }

  private static void lostUpdate() throws Exception {
    int[] balance = {100};
    Mutex mutex = new Mutex();
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  int seen = mutex.withLock(() -> balance[0]);
                  mutex.withLock(() -> balance[0] = seen - 10);
                  return null;
                });
          }
          scope.join();
        });
    if (balance[0] != 80) {
      throw new IllegalStateException("80 expected, but there are " + balance[0]);
    }
  }

  private static void correct() throws Exception {
    int[] balance = {100};
    Mutex mutex = new Mutex();
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> mutex.withLock(() -> balance[0] -= 10));
          }
          scope.join();
        });
    if (balance[0] != 80) {
      throw new IllegalStateException("80 expected, but there are " + balance[0]);
    }
  }

  private static Stream<Strategy> strategies() {
    return Stream.of(Strategy.random(), Strategy.pct(), Strategy.pct(2), Strategy.parse("exhaustive"));
  }

  // ---- what is found ----

  @ParameterizedTest
  @MethodSource("strategies")
  void findsADeadlock(Strategy strategy) {
    Report report = Check.that(CheckTest::inversion).strategy(strategy).search();
    Failure failure = report.failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.DEADLOCK);
    assertThat(failure.graph().cycles()).isNotEmpty();
    assertThat(failure.steps()).isNotEmpty().allSatisfy(step -> assertThat(step.line()).isNotNull());
    assertThat(report.toString()).contains("deadlock", "CheckTest.java:", "Mutex 1", "Mutex 2", "Replay: ");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void findsALostUpdate(Strategy strategy) {
    Failure failure = Check.that(CheckTest::lostUpdate).strategy(strategy).search().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION);
    assertThat(failure.cause()).isInstanceOf(IllegalStateException.class).hasMessage("80 expected, but there are 90");
    assertThat(failure.message()).contains("80 expected");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void passesACorrectProgram(Strategy strategy) {
    Report report = Check.that(CheckTest::correct).strategy(strategy).seeds(500).search();
    assertThat(report.failure()).isEmpty();
    assertThat(report.passed()).isTrue();
    assertThat(report.complete()).isEqualTo(strategy instanceof Strategy.Exhaustive);
    assertThat(report.toString()).startsWith("Nothing found in ");
  }

  @Test
  void anExceptionIsToldWithItsCauses() {
    String report = Check.that(CheckTest::wraps).search().toString();

    assertThat(report)
        .contains("The program threw java.lang.IllegalArgumentException: wrapped\n    at dev.baton.check.CheckTest.wraps(")
        .contains("\ncaused by java.lang.IllegalStateException: the real one\n    at dev.baton.check.CheckTest.fails(");
  }

  private static void wraps() {
    try {
      fails();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("wrapped", e);
    }
  }

  private static void fails() {
    throw new IllegalStateException("the real one");
  }

  @Test
  void causesThatLeadInACircleAreToldOnce() {
    String report =
        Check.that(
                () -> {
                  Exception first = new Exception("first");
                  throw new Exception("second", first.initCause(new Exception("third", first)));
                })
            .search()
            .toString();

    assertThat(report).containsOnlyOnce("caused by java.lang.Exception: first").containsOnlyOnce("caused by java.lang.Exception: third");
  }

  @Test
  void anExceptionThatCannotBeDescribedIsFoundAllTheSame() {
    class Mute extends RuntimeException {
      private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        throw new UnsupportedOperationException();
      }
    }

    Failure failure =
        Check.that(
                () -> {
                  throw new Mute();
                })
            .search()
            .failure()
            .orElseThrow();

    assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION);
    assertThat(failure.cause()).isInstanceOf(Mute.class);
    assertThat(failure.message()).contains("Mute, which cannot be described: that threw java.lang.UnsupportedOperationException");
  }

  @Test
  void findsABrokenInvariant() {
    Failure failure =
        Check.that(
                () -> {
                  int[] inside = {0};
                  Semaphore semaphore = Semaphore.of(2);
                  Check.always("at most one inside", () -> inside[0] <= 1);
                  Scope.run(
                      scope -> {
                        for (int i = 0; i < 2; i++) {
                          scope.fork(
                              () -> {
                                semaphore.acquire();
                                inside[0]++;
                                Cooperative.yieldNow();
                                inside[0]--;
                                semaphore.release();
                                return null;
                              });
                        }
                        scope.join();
                      });
                })
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.INVARIANT);
    assertThat(failure.message()).contains("at most one inside");
  }

  @Test
  void anInvariantThatThrowsIsBroken() {
    Failure failure =
        Check.that(Cooperative::yieldNow)
            .invariant("cannot be known", () -> { throw new UnsupportedOperationException("no"); })
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.INVARIANT);
    assertThat(failure.cause()).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anInvariantMayLookAtPrimitives() {
    Check.that(
            () -> {
              Semaphore semaphore = Semaphore.of(1);
              Check.always("never more than one", () -> semaphore.available() <= 1 && semaphore.waiting() == 0);
              semaphore.acquire();
              semaphore.release();
            })
        .run();
    // Outside of a check it is nobody's.
    Check.always("nobody looks", () -> false);
  }

  @Test
  void anInvariantIsCheckedInTheEndToo() {
    int[] value = {0};
    Failure failure =
        Check.that(() -> value[0] = 1).invariant("still 0", () -> value[0] == 0).search().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.INVARIANT);
  }

  @Test
  void findsALeakedTask() {
    Check check = Check.that(() -> Scope.open().fork(() -> { new Event().await(); return null; }));
    Failure failure = check.search().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.LEAKED_TASK);
    assertThat(failure.message()).contains("left behind: task 1 (CheckTest.java:");
    assertThat(check.allowLeaks().seeds(20).search().passed()).isTrue();
  }

  @Test
  void tasksThatAreLeftAndGoOnForEverAreLeakedAndNoLivelock() {
    Check check =
        Check.that(
            () -> {
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    while (true) {
                      Cooperative.yieldNow();
                    }
                  });
            });
    assertThat(check.seeds(2).search().failure().orElseThrow().kind()).isEqualTo(Kind.LEAKED_TASK);
    assertThat(check.allowLeaks().search().passed()).isTrue();
  }

  @Test
  void whatATaskDoesWhenItIsThrownOutBreaksNoInvariant() {
    Check check =
        Check.that(
            () -> {
              boolean[] alive = {true};
              Check.always("alive", () -> alive[0]);
              Scope left = Scope.open();
              left.fork(
                  () -> {
                    try {
                      new Event().await();
                    } finally {
                      alive[0] = false;
                    }
                  });
            });
    assertThat(check.seeds(3).search().failure().orElseThrow().kind()).isEqualTo(Kind.LEAKED_TASK);
    assertThat(check.allowLeaks().search().passed()).isTrue();
  }

  @Test
  void findsALeakedPermitAndALeakedLock() {
    Failure permit = Check.that(() -> Semaphore.of(3).acquire(2)).search().failure().orElseThrow();
    assertThat(permit.kind()).isEqualTo(Kind.LEAKED_PERMIT);
    assertThat(permit.message()).contains("Semaphore 1 (2 permits) taken by main at CheckTest.java:");
    Failure lock = Check.that(() -> new Mutex().lock()).search().failure().orElseThrow();
    assertThat(lock.kind()).isEqualTo(Kind.LEAKED_PERMIT);
    assertThat(lock.message()).contains("Mutex 1 taken by main");
  }

  @Test
  void permitsOfAnUnboundedSemaphoreAreEventsAndNotLeaked() {
    Check.that(() -> Semaphore.unbounded(5).acquire(3)).run();
  }

  @Test
  void findsALivelock() {
    Failure failure =
        Check.that(
                () -> {
                  while (true) {
                    Cooperative.yieldNow();
                  }
                })
            .steps(500)
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.LIVELOCK);
    assertThat(failure.message()).contains("500 steps");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void aLoopThatWaitsWithoutSleepingIsNoLivelock(Strategy strategy) {
    Check.that(
            () ->
                Scope.run(
                    scope -> {
                      Event event = new Event();
                      scope.fork(
                          () -> {
                            while (!event.isSet()) {
                              // again
                            }
                            return null;
                          });
                      scope.fork(() -> { event.set(); return null; });
                      scope.join();
                    }))
        .strategy(strategy)
        .seeds(200)
        .run();
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void namesATaskThatWaitsOutside(Engine engine) {
    CountDownLatch never = new CountDownLatch(1);
    Failure failure = Check.that(never::await).engine(engine).search().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.BLOCKED_OUTSIDE);
    assertThat(failure.message()).contains("main waits outside of Baton").contains("CountDownLatch.await");
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void aTaskThatComesBackTooLateIsThrownOut(Engine engine) throws Exception {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch latch = new CountDownLatch(1);
    Program program =
        () -> {
          threads.add(Thread.currentThread());
          for (boolean passed = false; !passed; ) {
            try {
              latch.await();
              passed = true;
            } catch (InterruptedException e) {
              // Not yet.
            }
          }
          while (true) {
            Cooperative.yieldNow();
          }
        };
    Report report = Check.that(program).engine(engine).search();
    assertThat(report.failure().orElseThrow().kind()).isEqualTo(Kind.BLOCKED_OUTSIDE);
    latch.countDown();
    assertThat(threads).hasSize(1);
    if (engine == Engine.PORTABLE) {
      assertThat(threads.getFirst().join(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void saysWhenAProgramIsNotDeterministic() {
    AtomicInteger survives = new AtomicInteger();
    Failure failure =
        Check.that(
                () -> {
                  if (survives.getAndIncrement() % 2 == 0) {
                    Cooperative.yieldNow();
                  }
                })
            .explainingDifferences(() -> {}, () -> "The counter survives.")
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.NONDETERMINISTIC);
    assertThat(failure.message()).contains("the first took 1 steps, the second 0").contains("The counter survives.");
  }

  @Test
  void anExhaustiveSearchSaysWhenAProgramChanges() {
    AtomicInteger runs = new AtomicInteger();
    Failure failure =
        Check.that(
                () -> {
                  int tasks = runs.getAndIncrement() < 6 ? 3 : 1;
                  Mutex mutex = new Mutex();
                  Scope.run(
                      scope -> {
                        for (int i = 0; i < tasks; i++) {
                          scope.fork(() -> mutex.withLock(() -> 1));
                        }
                        scope.join();
                      });
                })
            .exhaustive(2)
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.NONDETERMINISTIC);
    assertThat(failure.message()).contains("had other choices");
  }

  /** The program is run twice before any schedule is searched, to see that it does the same twice. */
  @Test
  void whatWasSeenBeforeTheSearchIsNotForgotten() {
    Check check =
        Check.that(
            () -> {
              int[] last = {0};
              boolean[] switched = {false};
              Scope.run(
                  scope -> {
                    for (int task = 1; task <= 3; task++) {
                      int me = task;
                      scope.fork(
                          () -> {
                            for (int i = 0; i < 20; i++) {
                              switched[0] |= last[0] > me;
                              last[0] = me;
                              Cooperative.yieldNow();
                            }
                          });
                    }
                    scope.join();
                  });
              if (!switched[0]) {
                throw new IllegalStateException("nobody was pre-empted");
              }
            });
    Failure failure = check.seeds(50).search().failure().orElseThrow();
    assertThat(failure.message()).contains("nobody was pre-empted");
    assertThat(check.replay(failure.replay()).passed()).isFalse();
  }

  @Test
  void aThreadHasTheSameNameInEveryRun() {
    Failure failure =
        Check.that(
                () -> {
                  String[] name = {"-"};
                  Scope.run(
                      scope -> {
                        scope.fork(() -> name[0] = Thread.currentThread().getName());
                        scope.join();
                      });
                  if (name[0].isEmpty()) {
                    throw new IllegalStateException("without a name");
                  }
                })
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION);
  }

  @Test
  void saysWhenAFailureDoesNotComeBack() {
    AtomicInteger runs = new AtomicInteger();
    Failure failure =
        Check.that(
                () -> {
                  if (runs.incrementAndGet() == 10) {
                    throw new IllegalStateException("once");
                  }
                })
            .search()
            .failure()
            .orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.NONDETERMINISTIC);
    assertThat(failure.message()).contains("once");
  }

  // ---- replay ----

  @ParameterizedTest
  @MethodSource("strategies")
  void aReplayShowsTheSame(Strategy strategy) {
    Failure found = Check.that(CheckTest::inversion).strategy(strategy).search().failure().orElseThrow();
    for (Engine engine : Engine.values()) {
      Report replayed = Check.that(CheckTest::inversion).engine(engine).replay(found.replay());
      assertThat(replayed.schedules()).isEqualTo(1);
      assertThat(replayed.failure().orElseThrow().toString()).isEqualTo(found.toString());
    }
  }

  @Test
  void aReplayTellsTheStrategyOfItsSchedule() {
    assertThat(Check.that(CheckTest::correct).replay("pct:4:7").strategy()).isEqualTo(Strategy.pct(4));
    assertThat(Check.that(CheckTest::correct).strategy(Strategy.pct(2)).replay(7).strategy()).isEqualTo(Strategy.pct(2));
  }

  @Test
  void aSeedThatFindsNothingPassesAgain() {
    Report report = Check.that(CheckTest::correct).replay(17);
    assertThat(report.passed()).isTrue();
    assertThat(report.schedules()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "x", "random:", "random:x", "nonsense:3", "path:0.-1", "path:0..1", "path:zzzzzz", "path:1z141z4", "exhaustive:1",
        "pct:0:5"
      })
  void refusesNamesOfNoSchedule(String name) {
    assertThatThrownBy(() -> Check.that(CheckTest::correct).replay(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aScheduleIsNotShortenedToAnotherFailure() {
    // Without any switch at the right place it fails too, but otherwise.
    Program program =
        () ->
            Scope.run(
                scope -> {
                  int[] turns = new int[1];
                  scope.fork(
                      () -> {
                        int before = turns[0];
                        Cooperative.yieldNow();
                        if (turns[0] != before) {
                          throw new IllegalArgumentException("somebody came between");
                        }
                        throw new UnsupportedOperationException("nobody came between");
                      });
                  scope.fork(() -> turns[0]++);
                  scope.join();
                });
    for (long seed = 0; seed < 20; seed++) {
      Class<?> found = thrownBySeed(program, seed);
      Failure failure = Check.that(program).replay(seed).failure().orElseThrow();
      assertThat(failure.cause()).isInstanceOf(found);
    }
  }

  private static Class<?> thrownBySeed(Program program, long seed) {
    List<Class<?>> thrown = new ArrayList<>();
    Program noting =
        () -> {
          try {
            program.run();
          } catch (Exception e) {
            thrown.add(e.getClass());
          }
        };
    assertThat(Check.that(noting).replay(seed).passed()).isTrue();
    return thrown.getLast();
  }

  @Test
  void schedulesAreShortened() {
    // Long before it matters, everybody switches all the time.
    Program program =
        () -> {
          Scope.run(
              scope -> {
                for (int i = 0; i < 3; i++) {
                  scope.fork(
                      () -> {
                        for (int j = 0; j < 20; j++) {
                          Cooperative.yieldNow();
                        }
                        return null;
                      });
                }
                scope.join();
              });
          inversion();
        };
    Failure failure = Check.that(program).firstSeed(3).search().failure().orElseThrow();
    long switches = 0;
    for (int i = 1; i < failure.steps().size(); i++) {
      switches += failure.steps().get(i).task().equals(failure.steps().get(i - 1).task()) ? 0 : 1;
    }
    // One between each pair of tasks in the first part, and those that the deadlock needs.
    assertThat(switches).isLessThan(12);
  }

  // ---- the search ----

  @Test
  void searchesAllSchedulesOfASmallProgram() {
    // Two tasks of one step each, and the one that forks and joins them: with two pre-emptions this is what there is.
    Program program =
        () ->
            Scope.run(
                scope -> {
                  scope.fork(() -> { Cooperative.yieldNow(); return null; });
                  scope.fork(() -> { Cooperative.yieldNow(); return null; });
                  scope.join();
                });
    Report none = Check.that(program).exhaustive(0).search();
    Report one = Check.that(program).exhaustive(1).search();
    Report two = Check.that(program).exhaustive(2).search();
    assertThat(List.of(none.complete(), one.complete(), two.complete())).containsOnly(true);
    assertThat(none.schedules()).isLessThan(one.schedules());
    assertThat(one.schedules()).isLessThan(two.schedules());
    assertThat(Check.that(program).exhaustive(2).seeds(two.schedules() - 1).search().complete()).isFalse();
  }

  @Test
  void everyScheduleOfAnExhaustiveSearchIsDifferent() {
    List<String> orders = new ArrayList<>();
    Check.that(
            () -> {
              StringBuilder order = new StringBuilder();
              Scope.run(
                  scope -> {
                    for (String name : List.of("a", "b")) {
                      scope.fork(
                          () -> {
                            for (int i = 0; i < 3; i++) {
                              Cooperative.yieldNow();
                              order.append(name);
                            }
                            return null;
                          });
                    }
                    scope.join();
                  });
              orders.add(order.toString());
            })
        .exhaustive(20)
        .run();
    // All ways to interleave aaa and bbb.
    assertThat(orders.stream().distinct()).hasSize(20);
  }

  @Test
  void stopsWhenTheTimeIsOver() {
    Report report = Check.that(CheckTest::correct).time(Duration.ofMillis(200)).search();
    assertThat(report.passed()).isTrue();
    assertThat(report.elapsed()).isBetween(Duration.ofMillis(200), Duration.ofSeconds(20));
    assertThat(report.schedules()).isPositive();
  }

  @Test
  void stopsWhenTheCallerIsInterrupted() {
    Thread caller = Thread.currentThread();
    AtomicInteger runs = new AtomicInteger();
    Report report =
        Check.that(
                () -> {
                  if (runs.incrementAndGet() == 50) {
                    caller.interrupt();
                  }
                })
            .time(Duration.ofMinutes(10))
            .search();
    assertThat(report.passed()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aListenerThatThrowsEndsTheSearch() {
    Set<Thread> before = loops();
    Check check =
        Check.that(() -> {})
            .engine(Engine.STEPPED)
            .time(Duration.ofMinutes(10))
            .onProgress(progress -> { throw new IllegalArgumentException("listener"); });
    assertThatThrownBy(check::search).hasMessage("listener");
    // Nothing goes on in the background: the thread that would is gone.
    assertThat(loops()).isSubsetOf(before);
  }

  private static Set<Thread> loops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("baton-loop"))
        .collect(Collectors.toSet());
  }

  @Test
  void progressIsTold() {
    List<Progress> told = new ArrayList<>();
    Check.that(CheckTest::correct).time(Duration.ofSeconds(1)).onProgress(told::add).search();
    assertThat(told).isNotEmpty();
    assertThat(told.getLast().schedules()).isPositive();
  }

  @Test
  void timeIsVirtual() {
    Report report =
        Check.that(() -> Time.sleep(Duration.ofDays(1_000))).seeds(50).search();
    assertThat(report.passed()).isTrue();
  }

  @Test
  void aTestFailsWithTheWholeReport() {
    assertThatThrownBy(() -> Check.that(CheckTest::lostUpdate).run())
        .isInstanceOf(CheckFailedError.class)
        .hasMessageContaining("80 expected")
        .hasMessageContaining("Replay: random:")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aProgramThatDoesNothingWithBatonIsToldThatNothingWasSearched() {
    Report nothing = Check.that(() -> new ReentrantLock().lock()).exhaustive().search();
    assertThat(nothing.operations()).isZero();
    assertThat(nothing.toString()).contains("did nothing with Baton").doesNotContain("these are all");
    Report something = Check.that(() -> new Mutex().withLock(() -> 1)).exhaustive().search();
    assertThat(something.operations()).isPositive();
    assertThat(something.toString()).contains("these are all").doesNotContain("did nothing");
  }

  @Test
  void anEmptyProgramPasses() {
    assertThat(Check.that(() -> {}).run().schedules()).isEqualTo(1_000);
  }

  @Test
  @SuppressWarnings("NullAway") // null is refused
  void refusesBadInput() {
    Check check = Check.that(() -> {});
    assertThatThrownBy(() -> Check.that(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> check.seeds(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not 0");
    assertThatThrownBy(() -> check.seeds(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> check.steps(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> check.time(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> check.exhaustive(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Strategy.pct(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Strategy.parse("fuzzy")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fuzzy");
    assertThatThrownBy(() -> Check.that(() -> Check.that(() -> {}).run()).run()).hasMessageContaining("cannot begin inside of a run");
  }

  @Test
  void aReleaseThatIsRefusedHidesNoLeak() {
    Report report =
        Check.that(
                () -> {
                  Semaphore semaphore = Semaphore.of(2);
                  semaphore.acquire();
                  try {
                    semaphore.release(2);
                  } catch (IllegalStateException tooMany) {
                    // One is held, and still is.
                  }
                })
            .seeds(1)
            .search();
    assertThat(report.toString()).contains("leaked permit");
  }

  @Test
  void whileATaskForksTheLimitIsTheOneThatItHasWaitedFor() {
    Check.that(
            () -> {
              try (Scope outer = Scope.open().limit(1)) {
                try (Scope inner = Scope.open()) {
                  inner.fork(() -> outer.fork(() -> 1));
                  Event never = new Event();
                  // Two steps in which the other may get as far as it likes.
                  assertThat(never.isSet()).isFalse();
                  assertThat(never.isSet()).isFalse();
                  try {
                    outer.limit(2);
                  } catch (IllegalStateException aTaskRuns) {
                    // Then it stays at one.
                  }
                  inner.join();
                }
                outer.join();
              }
            })
        .seeds(200)
        .run();
  }

  @Test
  void nothingOfADeadlineIsLeftWhenItsScopeIsClosed() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    List<Integer> left = new ArrayList<>();
    Cooperative.create()
        .policy(
            () ->
                candidates -> {
                  int lowest = 0;
                  for (int i = 0; i < candidates.size(); i++) {
                    lowest = candidates.task(i) < candidates.task(lowest) ? i : lowest;
                    if (closed.get() && candidates.task(i) != 0) {
                      left.add(candidates.task(i));
                    }
                  }
                  return lowest;
                })
        .run(
            () -> {
              // So many that the timer leaves it to a task to tell them.
              try (Scope scope = Scope.open().deadline(Duration.ofSeconds(1))) {
                for (int i = 0; i < 1_000; i++) {
                  scope.fork(() -> Time.sleep(Duration.ofSeconds(9)));
                }
                Time.sleep(Duration.ofSeconds(1));
                scope.join();
              } catch (DeadlineExceededException expected) {
                closed.set(true);
              }
              return new Event().isSet();
            });
    assertThat(closed).isTrue();
    assertThat(left).isEmpty();
  }
}
