// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.threads.ThreadHost;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Promise;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.StepHost;
import dev.baton.world.SteppedWorld;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What scopes promise, in the corners where it is hard to keep. */
@SuppressWarnings("NullAway") // nulls are given and returned on purpose
class ScopeLawsTest extends InEveryWorld {
  private final Semaphore never = Semaphore.unbounded(0);
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  @SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
  private static <T> T fail(Throwable e) throws Exception {
    if (e instanceof Error error) {
      throw error;
    }
    throw (Exception) e;
  }

  private <T> T inWorld(Callable<T> body) {
    return world().call("owner", body).result();
  }

  private void inWorld(VoidScopeBody body) {
    world().start("owner", () -> Scope.run(body)).result();
  }

  private void assertNothingLeft() {
    assertThat(never.waiting()).isZero();
    if (world() instanceof SteppedWorld stepped) {
      assertThat(stepped.host().alarms()).isZero();
    }
  }

  private Task<Object> forkFailed(Scope scope, Throwable failure) throws Exception {
    Task<Object> task = scope.fork(() -> fail(failure));
    assertThatThrownBy(task::awaitUninterruptibly).isSameAs(failure);
    return task;
  }

  // ---- closing ----

  @Test
  void aBodyMayCloseItsScopeAndTheOneAroundStaysOpen() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope outer = Scope.open()) {
                    Task<String> task =
                        outer.fork(
                            () -> {
                              never.acquire();
                              return "undisturbed";
                            });
                    Scope.run(Scope::close);
                    assertThatThrownBy(
                            () ->
                                Scope.run(
                                    inner -> {
                                      inner.close();
                                      throw new IOException("body");
                                    }))
                        .isInstanceOf(IOException.class);
                    outer.fork(() -> never.release());
                    outer.join();
                    return task.result();
                  }
                });
    assertThat(owner.result()).isEqualTo("undisturbed");
  }

  @Test
  void anErrorInAScopeLeftOpenInsideIsNotLost() {
    IOException failure = new IOException("inside");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope outer = Scope.open()) {
                    outer.fork(() -> 1);
                    forkFailed(Scope.open(), failure);
                  }
                });
    assertThat(owner.failure()).isInstanceOf(ScopeFailedException.class).hasCause(failure);
    assertThat(owner.endedInterrupted()).isFalse();
    Actor<Void> called = world().start("called", () -> Scope.run(scope -> forkFailed(Scope.open(), failure)));
    assertThat(called.failure()).isSameAs(failure);
    Actor<Void> forking =
        world()
            .start(
                "forking",
                () ->
                    Scope.run(
                        scope -> {
                          scope.fork(
                              () -> {
                                forkFailed(Scope.open(), failure);
                              });
                          scope.join();
                        }));
    assertThat(forking.failure()).hasRootCause(failure);
  }

  @Test
  void scopesLeftOpenByACarrierAreClosedWithTheTask() {
    inWorld(
        scope -> {
          scope.carry(
              () ->
                  body -> {
                    try (Scope around = Scope.open()) {
                      body.run();
                      forkUnchecked(around, "around");
                    }
                    forkUnchecked(Scope.open(), "left open");
                  });
          scope.fork(() -> events.add("body"));
          scope.join();
        });
    assertThat(events).containsExactly("body");
    assertNothingLeft();
  }

  /** Forks a task that waits for ever. */
  private void forkUnchecked(Scope scope, String name) {
    try {
      scope.fork(
          () -> {
            never.acquire();
            events.add(name);
          });
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void onlyTheOwnerMayCloseAlsoFromWithinATask() {
    inWorld(
        scope -> {
          Task<Object> task =
              scope.fork(
                  () -> {
                    assertThatThrownBy(scope::close).isInstanceOf(WrongThreadException.class);
                    assertThatThrownBy(scope::join).isInstanceOf(WrongThreadException.class);
                    return "told";
                  });
          scope.join();
          assertThat(task.result()).isEqualTo("told");
        });
  }

  // ---- forking ----

  @Test
  void aTaskOfAScopeInsideMayForkInTheOneAround() {
    String text =
        inWorld(
            () -> {
              try (Scope outer = Scope.open();
                  Scope inner = Scope.open()) {
                Task<Task<String>> task = inner.fork(() -> outer.fork(() -> "from inside"));
                inner.join();
                outer.join();
                return task.result().result();
              }
            });
    assertThat(text).isEqualTo("from inside");
  }

  @Test
  void nothingIsForkedInsideAfterAnInheritedDeadline() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope outer = Scope.open().deadline(SHORT)) {
                    never.acquireUninterruptibly();
                    try (Scope inner = Scope.open()) {
                      assertThatThrownBy(() -> inner.fork(() -> events.add("ran")))
                          .isInstanceOf(DeadlineExceededException.class);
                      assertThatThrownBy(() -> inner.tryFork(() -> events.add("ran")))
                          .isInstanceOf(DeadlineExceededException.class);
                    }
                    assertThatThrownBy(() -> Scope.firstSuccess(() -> events.add("ran")))
                        .isInstanceOfAny(InterruptedException.class, DeadlineExceededException.class);
                    assertThatThrownBy(outer::join).isInstanceOf(DeadlineExceededException.class);
                  }
                });
    world().pass(SHORT.plus(SHORT));
    never.release();
    owner.result();
    assertThat(events).isEmpty();
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void aThreadThatCannotBeStartedLeavesNoTraceAndNoPermitIsLost() {
    OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
    AtomicBoolean broken = new AtomicBoolean();
    Host host =
        (Host)
            Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("start") && broken.get()) {
                    throw noThread;
                  }
                  try {
                    return method.invoke(ThreadHost.INSTANCE, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    AtomicReference<List<Result<?>>> results = new AtomicReference<>();
    Hosts.runOn(
        host,
        () -> {
          try (Scope scope = Scope.open().limit(1).collectAll().deadline(LONG)) {
            scope.fork(() -> 1).await();
            broken.set(true);
            assertThatThrownBy(() -> scope.fork(() -> 2)).isSameAs(noThread);
            assertThatThrownBy(() -> scope.tryFork(() -> 2)).isSameAs(noThread);
            broken.set(false);
            Task<Object> last =
                scope.fork(
                    () -> {
                      never.acquire();
                      return 3;
                    });
            assertThat(scope.tryFork(() -> 4)).isEmpty();
            never.release();
            last.await();
            scope.join();
            results.set(scope.results());
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertThat(results.get()).containsExactly(new Result.Ok<>(1), new Result.Ok<>(3));
  }

  @Test
  void aLongTaskAndEndlessShortOnesKeepTheScopeSmall() {
    inWorld(
        scope -> {
          Task<Object> first =
              scope.fork(
                  () -> {
                    never.acquire();
                    return "first";
                  });
          for (int i = 0; i < 3_000; i++) {
            scope.fork(() -> 1).await();
          }
          // They are looked through each time there are a thousand.
          assertThat(scope.toString()).matches(".* ([0-9]{1,3}|10[0-9]{2}) forked.*");
          never.release();
          scope.join();
          assertThat(first.result()).isEqualTo("first");
        });
  }

  // ---- interrupts ----

  @Test
  void anInterruptFromOutsideEndsTheJoinAlsoAfterTheDeadline() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().deadline(SHORT)) {
                    scope.fork(
                        () -> {
                          never.acquireUninterruptibly();
                        });
                    try {
                      scope.join();
                    } catch (InterruptedException e) {
                      events.add("interrupted");
                      never.release();
                    }
                    assertThatThrownBy(scope::join)
                        .isInstanceOf(DeadlineExceededException.class)
                        .hasNoSuppressedExceptions();
                  }
                });
    world().pass(SHORT.plus(SHORT));
    owner.interrupt();
    owner.result();
    assertThat(events).containsExactly("interrupted");
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void anOwnerWhoseJoinIsInterruptedAfterAFailureIsWokenFromItsNextWait() {
    IOException failure = new IOException("fork");
    Semaphore stubborn = Semaphore.unbounded(0);
    Semaphore go = Semaphore.unbounded(0);
    AtomicReference<Task<Object>> failing = new AtomicReference<>();
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          scope.fork(
                              () -> {
                                stubborn.acquireUninterruptibly();
                              });
                          failing.set(
                              scope.fork(
                                  () -> {
                                    go.acquireUninterruptibly();
                                    return fail(failure);
                                  }));
                          try {
                            scope.join();
                          } catch (InterruptedException e) {
                            events.add("interrupted");
                            stubborn.release();
                            never.acquire();
                          }
                        }));
    go.release();
    Eventually.holds(world(), () -> failing.get().isDone());
    Eventually.holds(world(), owner::isWaiting);
    owner.interrupt();
    assertThat(owner.failure()).isSameAs(failure);
    assertThat(events).containsExactly("interrupted");
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void anInterruptMeantForTheTaskAroundStaysWhenTheScopeTakesItsOwnAway() {
    inWorld(
        scope -> {
          Promise<String> started = new Promise<>();
          Semaphore go = Semaphore.unbounded(0);
          Task<Object> task =
              scope.fork(
                  () -> {
                    try (Scope inner = Scope.open()) {
                      Task<Object> failing = inner.fork(() -> fail(new IOException("inner")));
                      assertThatThrownBy(failing::awaitUninterruptibly).isInstanceOf(IOException.class);
                      started.complete("yes");
                      go.acquireUninterruptibly();
                    } catch (ScopeFailedException expected) {
                      events.add("closed");
                    }
                    never.acquire();
                    return "not woken";
                  });
          started.future().await();
          task.cancel();
          go.release();
          assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
          scope.join();
        });
    assertNothingLeft();
  }

  @Test
  void aCallerThatIsInterruptedAlreadyChangesNothing() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1)) {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> scope.fork(() -> events.add("forked")))
                        .isInstanceOf(InterruptedException.class);
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(scope::join).isInstanceOf(InterruptedException.class);
                    assertThatThrownBy(
                            () -> {
                              Thread.currentThread().interrupt();
                              Scope.firstSuccess(() -> events.add("raced"));
                            })
                        .isInstanceOf(InterruptedException.class);
                    Thread.currentThread().interrupt();
                    Task<Boolean> task = scope.tryFork(() -> events.add("tried")).orElseThrow();
                    assertThat(Thread.interrupted()).isTrue();
                    scope.join();
                    assertThat(task.result()).isTrue();
                    Thread.currentThread().interrupt();
                  }
                });
    owner.result();
    assertThat(events).containsExactly("tried");
    assertThat(owner.endedInterrupted()).isTrue();
  }

  // ---- errors ----

  @Test
  void aCarrierThatFailsAfterTheTaskDoesNotHideItsError() {
    IOException failure = new IOException("task");
    IllegalStateException unbinding = new IllegalStateException("unbinding");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          scope.carry(
                              () ->
                                  body -> {
                                    body.run();
                                    throw unbinding;
                                  });
                          scope.fork(() -> fail(failure));
                          scope.join();
                        }));
    assertThat(owner.failure()).isSameAs(failure).hasSuppressedException(unbinding);
  }

  @Test
  void anErrorThatTheBodyWrapsIsThrownAsWrapped() {
    IOException failure = new IOException("fork");
    IllegalArgumentException wrapped = new IllegalArgumentException("what it means", failure);
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          forkFailed(scope, failure);
                          throw wrapped;
                        }));
    assertThat(owner.failure()).isSameAs(wrapped).hasNoSuppressedExceptions();
  }

  @Test
  void theSameErrorOfTwoTasksIsThrownOnce() {
    IOException failure = new IOException("shared");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          for (int i = 0; i < 5; i++) {
                            scope.fork(
                                () -> {
                                  never.acquireUninterruptibly();
                                  return fail(failure);
                                });
                          }
                          never.release(5);
                          scope.join();
                        }));
    assertThat(owner.failure()).isSameAs(failure).hasNoSuppressedExceptions();
  }

  /** Whatever is asked of it, it throws. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    Hostile() {
      super("hostile", null, false, false);
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause for you");
    }

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message for you");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("no text for you");
    }
  }

  @Test
  void anErrorThatMisbehavesIsThrownLikeAnyOther() {
    Hostile hostile = new Hostile();
    IOException failure = new IOException("fork");
    AtomicReference<Throwable> joined = new AtomicReference<>();
    AtomicReference<Throwable> fromBody = new AtomicReference<>();
    inWorld(
        () -> {
          try {
            Scope.run(
                scope -> {
                  scope.fork(() -> fail(hostile));
                  scope.join();
                });
          } catch (Hostile e) {
            joined.set(e);
          }
          try {
            Scope.run(
                scope -> {
                  forkFailed(scope, failure);
                  throw hostile;
                });
          } catch (RuntimeException e) {
            fromBody.set(e);
          }
          return null;
        });
    assertThat(joined.get() == hostile).isTrue();
    assertThat(fromBody.get() == hostile).isTrue();
  }

  /** A channel that throws when an interrupt closes it, as user code may. */
  private static final class Brittle extends AbstractInterruptibleChannel {
    @Override
    protected void implCloseChannel() {
      throw new IllegalStateException("brittle");
    }

    void block(Semaphore entered) throws IOException {
      begin();
      try {
        entered.release();
        while (!Thread.currentThread().isInterrupted()) {
          LockSupport.park(this);
        }
      } finally {
        end(false);
      }
    }
  }

  @Test
  void oneTaskThatCannotBeInterruptedCleanlyDoesNotKeepTheOthersFromIt() {
    Assumptions.assumeTrue(kind != Worlds.STEPPED, "interrupts are the host's own there");
    IOException failure = new IOException("fork");
    Semaphore entered = Semaphore.unbounded(0);
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(3)) {
                    scope.fork(() -> new Brittle().block(entered));
                    scope.fork(() -> never.acquire());
                    entered.acquire();
                    scope.fork(() -> fail(failure));
                    scope.join();
                  }
                });
    assertThat(owner.failure()).isSameAs(failure);
    assertNothingLeft();
  }

  // ---- deadlines ----

  @Test
  void theInnerDeadlineEndsTheInnerScopeOnly() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope outer = Scope.open().deadline(LONG)) {
                    try (Scope inner = Scope.open().deadline(SHORT)) {
                      inner.fork(() -> never.acquire());
                      assertThatThrownBy(inner::join).isInstanceOf(DeadlineExceededException.class);
                      assertThat(Scope.timeLeft()).contains(Duration.ZERO);
                    }
                    assertThat(Scope.timeLeft()).hasValueSatisfying(d -> assertThat(d).isGreaterThan(SHORT));
                    Task<String> task = outer.fork(() -> "goes on");
                    outer.join();
                    return task.result();
                  }
                });
    world().pass(SHORT);
    assertThat(owner.result()).isEqualTo("goes on");
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void aDeadlineThatPassesWhileWaitingForTheLimitIsTold() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1).deadline(SHORT)) {
                    scope.fork(() -> never.acquire());
                    assertThatThrownBy(() -> scope.fork(() -> events.add("ran")))
                        .isInstanceOf(DeadlineExceededException.class);
                    assertThatThrownBy(scope::join)
                        .isInstanceOf(DeadlineExceededException.class)
                        .hasNoSuppressedExceptions();
                  }
                });
    world().pass(SHORT);
    owner.result();
    assertThat(events).isEmpty();
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void aDeadlineThatPassesWhileClosingSaysNothing() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().deadline(SHORT)) {
                    Promise<String> started = new Promise<>();
                    scope.fork(
                        () -> {
                          started.complete("yes");
                          never.acquireUninterruptibly();
                        });
                    started.future().await();
                    return "left";
                  }
                });
    world().pass(SHORT.plus(SHORT));
    never.release();
    assertThat(owner.result()).isEqualTo("left");
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void aRaceEndsWithTheDeadlineAround() {
    Actor<Object> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.call(
                        scope -> {
                          scope.deadline(SHORT);
                          return Scope.firstSuccess(
                              () -> {
                                never.acquire();
                                return "never";
                              },
                              () -> fail(new IOException("early")));
                        }));
    world().pass(SHORT.plus(SHORT));
    assertThat(owner.failure()).isInstanceOf(DeadlineExceededException.class);
    assertThat(owner.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void aRaceMayBeWonByNull() {
    Object value = inWorld(() -> Scope.<Object>firstSuccess(() -> null, () -> fail(new IOException("lost"))));
    assertThat(value).isNull();
  }

  @Test
  void aRaceOfTasksThatCancelThemselvesEndsWithTheirErrors() {
    Actor<Object> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.firstSuccess(
                        () -> fail(new CancellationException("one")), () -> fail(new InterruptedException("two"))));
    assertThat(owner.failure().getSuppressed()).hasSize(1);
    assertThat(owner.endedInterrupted()).isFalse();
  }

  @Test
  void anInterruptedRaceLeavesNobodyRunning() {
    Actor<Object> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.firstSuccess(
                        () -> {
                          never.acquire();
                          return 1;
                        },
                        () -> {
                          never.acquire();
                          return 2;
                        }));
    owner.interrupt();
    assertThat(owner.failure()).isInstanceOf(InterruptedException.class);
    assertNothingLeft();
  }

  // ---- tasks ----

  @Test
  void aTaskThatWaitsForItselfCanBeCancelled() {
    inWorld(
        scope -> {
          AtomicReference<Task<Object>> self = new AtomicReference<>();
          Promise<String> set = new Promise<>();
          self.set(
              scope.fork(
                  () -> {
                    set.future().await();
                    return self.get().await();
                  }));
          set.complete("yes");
          self.get().cancel();
          scope.join();
          assertThat(self.get().state()).isEqualTo(TaskState.CANCELLED);
        });
  }

  @Test
  void aTaskThatWaitsForACancelledSiblingIsTold() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          Task<Object> sibling =
                              scope.fork(
                                  () -> {
                                    never.acquire();
                                    return 1;
                                  });
                          scope.fork(() -> sibling.await());
                          sibling.cancel();
                          scope.join();
                        }));
    assertThat(owner.failure()).isInstanceOf(CancellationException.class);
    assertNothingLeft();
  }

  @Test
  void anEndedTaskKeepsNeitherItsWorkNorItsContext() {
    List<WeakReference<Object>> references = new ArrayList<>();
    List<Task<Object>> tasks =
        inWorld(
            () ->
                Scope.call(
                    scope -> {
                      scope.carry(() -> holding(references));
                      List<Task<Object>> forked = new ArrayList<>();
                      forked.add(scope.fork(working(references)));
                      Task<Object> cancelled = scope.fork(working(references));
                      cancelled.cancel();
                      forked.add(cancelled);
                      scope.join();
                      return forked;
                    }));
    assertThat(references).hasSize(4);
    Eventually.holds(
        world(),
        () -> {
          System.gc();
          return references.stream().allMatch(r -> r.refersTo(null));
        });
    assertThat(tasks).allMatch(Task::isDone);
  }

  private static ContextCarrier.Binding holding(List<WeakReference<Object>> references) {
    byte[] big = new byte[100];
    references.add(new WeakReference<>(big));
    return body -> {
      assertThat(big).isNotEmpty();
      body.run();
    };
  }

  private static Callable<Object> working(List<WeakReference<Object>> references) {
    byte[] big = new byte[100];
    references.add(new WeakReference<>(big));
    return () -> big.length;
  }

  // ---- all of it, under many schedules ----

  @Test
  void underEveryScheduleNothingIsLeftBehind() {
    Assumptions.assumeTrue(kind == Worlds.STEPPED, "only there the seed chooses the schedule");
    int failed = 0;
    int late = 0;
    int interrupted = 0;
    for (int seed = 0; seed < 600; seed++) {
      Outcome outcome = runSchedule(seed, seed % 3 == 0);
      failed += outcome.thrown instanceof IOException ? 1 : 0;
      late += outcome.thrown instanceof DeadlineExceededException ? 1 : 0;
      interrupted += outcome.thrown instanceof InterruptedException ? 1 : 0;
    }
    // Else nothing was tried.
    assertThat(List.of(failed, late, interrupted)).allMatch(n -> n > 0);
  }

  /** How a run ended. */
  private static final class Outcome {
    Throwable thrown;
    boolean done;
    boolean interruptLeft;
  }

  private Outcome runSchedule(int seed, boolean fromOutside) {
    StepHost host = new StepHost(seed);
    Semaphore gate = Semaphore.unbounded(0);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    Outcome outcome = new Outcome();
    host.takeTurns();
    StepHost.Task owner =
        host.start(
            "owner",
            () -> {
              try {
                Scope.run(scope -> program(scope, seed, gate, running, most, threads));
              } catch (Throwable e) {
                outcome.thrown = e;
              }
              outcome.done = true;
              outcome.interruptLeft = Thread.currentThread().isInterrupted();
              assertThat(running).hasValue(0);
            });
    host.start(
        "clock",
        () -> {
          for (int i = 0; i < 30; i++) {
            gate.tryAcquire();
            host.advance(Duration.ofMillis(1).toNanos());
          }
        });
    if (fromOutside) {
      host.start(
          "outsider",
          () -> {
            for (int i = seed % 20; i >= 0; i--) {
              gate.tryAcquire();
            }
            if (!outcome.done) {
              host.interrupt(owner);
            }
          });
    }
    host.settle();
    String text = "seed " + seed + ", thrown " + outcome.thrown;
    assertThat(outcome.done).as(text).isTrue();
    assertThat(running).as(text).hasValue(0);
    assertThat(most.get()).as(text).isBetween(0, 2);
    assertThat(gate.waiting()).as(text).isZero();
    assertThat(host.alarms()).as(text).isZero();
    assertThat(threads).as(text).noneMatch(Thread::isAlive);
    if (!fromOutside) {
      assertThat(outcome.interruptLeft).as(text).isFalse();
      assertThat(outcome.thrown).as(text).isInstanceOfAny(IOException.class, DeadlineExceededException.class);
    }
    return outcome;
  }

  private static void program(
      Scope scope, int seed, Semaphore gate, AtomicInteger running, AtomicInteger most, List<Thread> threads)
      throws Exception {
    scope.limit(2).deadline(Duration.ofMillis(6));
    scope.fork(
        () -> {
          threads.add(Thread.currentThread());
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          try (Scope inner = Scope.open().deadline(Duration.ofMillis(4 + seed % 4))) {
            inner.fork(() -> gate.acquire());
            inner.fork(
                () -> {
                  threads.add(Thread.currentThread());
                  Scope left = Scope.open();
                  left.fork(() -> gate.acquire());
                });
            inner.join();
          } finally {
            running.decrementAndGet();
          }
        });
    for (int i = 0; i < 2; i++) {
      scope.fork(
          () -> {
            threads.add(Thread.currentThread());
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
              Time.sleep(Duration.ofMillis(5));
              throw new IOException("seed " + seed);
            } finally {
              running.decrementAndGet();
            }
          });
    }
    if (seed % 2 == 0) {
      gate.acquire();
    }
    scope.join();
  }

  @Test
  void aScopeWhoseSettingWasRefusedForksNothingInPlaceOfOneThatWasOpenedSince() throws Exception {
    try (Scope outer = Scope.open()) {
      Scope refused = Scope.open();
      assertThatThrownBy(() -> refused.limit(0)).isInstanceOf(IllegalArgumentException.class);
      try (Scope inner = Scope.open()) {
        // It would not be closed with the one around it: nobody knows that it is inside.
        assertThatThrownBy(() -> refused.fork(() -> 1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("was refused");
        assertThatThrownBy(() -> refused.limit(2)).isInstanceOf(IllegalStateException.class);
        assertThat(inner.fork(() -> 2).await()).isEqualTo(2);
      }
      assertThat(refused.fork(() -> 3).await()).isEqualTo(3);
      refused.close();
      assertThat(outer.fork(() -> 4).await()).isEqualTo(4);
    }
  }

  @Test
  void whatScopesInsideInheritIsSetBeforeTheyAreOpened() throws Exception {
    try (Scope outer = Scope.open();
        Scope inner = Scope.open()) {
      assertThatThrownBy(() -> outer.deadline(Duration.ofHours(1))).isInstanceOf(IllegalStateException.class).hasMessageContaining("inside");
      assertThatThrownBy(() -> outer.carry(ScopedValue.newInstance())).isInstanceOf(IllegalStateException.class);
      inner.deadline(Duration.ofHours(1));
      assertThat(Scope.timeLeft()).isPresent();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // that is the test
  void aRaceNamesWhatIsMissing() {
    assertThatNullPointerException().isThrownBy(() -> Scope.firstSuccess(() -> 1, null)).withMessage("a task is null");
    assertThatNullPointerException().isThrownBy(() -> Scope.firstSuccess((List<Callable<Integer>>) null)).withMessage("tasks");
  }
}
