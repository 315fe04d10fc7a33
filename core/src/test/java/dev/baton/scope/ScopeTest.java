// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Promise;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // nulls are given and returned on purpose
class ScopeTest extends InEveryWorld {
  private static final Duration TENTH = Duration.ofMillis(100);

  private final Semaphore never = Semaphore.unbounded(0);
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  private void enter() {
    threads.add(Thread.currentThread());
    most.accumulateAndGet(active.incrementAndGet(), Math::max);
  }

  private void exit() {
    active.decrementAndGet();
  }

  /** Waits for ever, and tells when it is interrupted. */
  private Object waitForEver() throws InterruptedException {
    enter();
    try {
      never.acquire();
      return "never";
    } catch (InterruptedException e) {
      events.add("interrupted");
      throw e;
    } finally {
      exit();
    }
  }

  private void assertNothingLeft() {
    assertThat(active).hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
    assertThat(never.waiting()).isZero();
  }

  @Test
  void pattern01_twoForksRunSideBySide() {
    Actor<Integer> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    Task<Integer> a = scope.fork(() -> sleepAndReturn(40));
                    Task<Integer> b = scope.fork(() -> sleepAndReturn(2));
                    scope.join();
                    return a.result() + b.result();
                  }
                });
    world().pass(TENTH);
    assertThat(owner.result()).isEqualTo(42);
    assertThat(most).hasValue(2);
    assertNothingLeft();
  }

  private int sleepAndReturn(int value) throws InterruptedException {
    enter();
    Time.sleep(TENTH);
    exit();
    return value;
  }

  @Test
  void pattern02_oneFailureInterruptsTheOthersAndIsThrownItself() {
    IOException first = new IOException("first");
    IllegalStateException later = new IllegalStateException("while cleaning up");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    // One that has not begun when the scope fails never runs, and is not interrupted.
                    Semaphore begun = Semaphore.unbounded(0);
                    scope.fork(
                        () -> {
                          begun.release();
                          return waitForEver();
                        });
                    scope.fork(
                        () -> {
                          begun.release();
                          try {
                            return waitForEver();
                          } finally {
                            fail(later);
                          }
                        });
                    scope.fork(
                        () -> {
                          begun.acquire(2);
                          return fail(first);
                        });
                    scope.join();
                  } finally {
                    assertNothingLeft();
                  }
                });
    assertThat(owner.failure()).isSameAs(first).hasSuppressedException(later);
    assertThat(owner.endedInterrupted()).isFalse();
    assertThat(events).containsExactly("interrupted", "interrupted");
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
  private static <T> T fail(Exception e) throws Exception {
    throw e;
  }

  @Test
  void pattern03_leavingEarlyCancelsAndJoins() {
    Actor<String> returns =
        world()
            .call(
                "returns",
                () -> {
                  try (Scope scope = Scope.open()) {
                    forkAndAwaitStart(scope);
                    return "left";
                  } finally {
                    assertNothingLeft();
                  }
                });
    assertThat(returns.result()).isEqualTo("left");
    Actor<Void> throwing =
        world()
            .start(
                "throws",
                () -> {
                  try (Scope scope = Scope.open()) {
                    forkAndAwaitStart(scope);
                    throw new IOException("out");
                  } finally {
                    assertNothingLeft();
                  }
                });
    assertThat(throwing.failure()).isInstanceOf(IOException.class).hasNoSuppressedExceptions();
    assertThat(events).containsExactly("interrupted", "interrupted");
    assertThat(returns.endedInterrupted()).isFalse();
  }

  private Task<Object> forkAndAwaitStart(Scope scope) throws Exception {
    Promise<String> started = new Promise<>();
    Task<Object> task =
        scope.fork(
            () -> {
              started.complete("started");
              return waitForEver();
            });
    started.future().awaitUninterruptibly();
    return task;
  }

  @Test
  void pattern05_allOutcomesInForkOrder() {
    IOException failure = new IOException("second");
    Actor<List<Result<?>>> owner =
        world()
            .call(
                "owner",
                () -> {
                  Semaphore go = Semaphore.unbounded(0);
                  try (Scope scope = Scope.open().collectAll()) {
                    scope.fork(
                        () -> {
                          go.acquire();
                          return 1;
                        });
                    scope.fork(() -> fail(failure));
                    scope.fork(
                        () -> {
                          go.release();
                          return 3;
                        });
                    scope.join();
                    return scope.results();
                  }
                });
    assertThat(owner.result())
        .containsExactly(new Result.Ok<>(1), new Result.Err<>(failure), new Result.Ok<>(3));
  }

  @Test
  void pattern06_theFirstSuccessWins() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try {
                    return Scope.<String>firstSuccess(
                        () -> (String) waitForEver(), () -> fail(new IOException("lost")), () -> "won");
                  } finally {
                    assertNothingLeft();
                  }
                });
    assertThat(owner.result()).isEqualTo("won");
    assertThat(owner.endedInterrupted()).isFalse();
  }

  @Test
  void pattern06_ifAllFailTheLastErrorCarriesTheOthers() {
    Semaphore turn = Semaphore.unbounded(0);
    IOException early = new IOException("early");
    IOException late = new IOException("late");
    Actor<String> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.firstSuccess(
                        () -> {
                          turn.acquire();
                          return fail(late);
                        },
                        () -> fail(early)));
    turn.release();
    assertThat(owner.failure()).isIn(early, late);
    Throwable other = owner.failure() == late ? early : late;
    assertThat(owner.failure()).hasSuppressedException(other);
  }

  @Test
  void aRaceWithoutRunnersIsRefused() {
    assertThatThrownBy(() -> Scope.firstSuccess(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one");
  }

  @Test
  void case114_siblingsAreCancelledWithTheFirstErrorAsCause() {
    IOException first = new IOException("first");
    List<Task<Object>> tasks = new ArrayList<>();
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    tasks.add(forkAndAwaitStart(scope));
                    scope.fork(() -> fail(first));
                    scope.join();
                  }
                });
    assertThat(owner.failure()).isSameAs(first);
    assertThat(tasks.getFirst().state()).isEqualTo(TaskState.CANCELLED);
    assertThat(tasks.getFirst().outcome())
        .hasValueSatisfying(
            result ->
                assertThat(((Result.Err<Object>) result).error())
                    .isInstanceOf(CancellationException.class)
                    .hasCause(first));
    assertNothingLeft();
  }

  @Test
  void case115_neverMoreThanTheLimit() {
    Actor<Integer> owner =
        world()
            .call(
                "owner",
                () -> {
                  AtomicInteger ended = new AtomicInteger();
                  try (Scope scope = Scope.open().limit(10)) {
                    for (int i = 0; i < 1025; i++) {
                      scope.fork(
                          () -> {
                            enter();
                            Time.sleep(Duration.ofNanos(1));
                            exit();
                            ended.incrementAndGet();
                          });
                    }
                    scope.join();
                  }
                  return ended.get();
                });
    while (kind == dev.baton.world.Worlds.STEPPED && !owner.isDone()) {
      world().pass(Duration.ofNanos(1));
    }
    assertThat(owner.result()).isEqualTo(1025);
    assertThat(most.get()).isBetween(1, 10);
    assertNothingLeft();
  }

  @Test
  void case116_aReachedLimitRefusesAndStands() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1)) {
                    Task<Object> task = forkAndAwaitStart(scope);
                    assertThat(scope.tryFork(() -> 1)).isEmpty();
                    assertThatThrownBy(() -> scope.limit(2))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("while tasks run");
                    assertThatThrownBy(() -> scope.limit(0)).isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> scope.limit(-1)).isInstanceOf(IllegalArgumentException.class);
                    assertThat(task.cancel()).isTrue();
                    assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                    scope.fork(() -> 2);
                    scope.join();
                  }
                });
    owner.result();
  }

  @Test
  void aBlockedBodyIsWokenByAFailure() {
    IOException failure = new IOException("fork");
    Actor<Object> called =
        world()
            .call(
                "called",
                () ->
                    Scope.call(
                        scope -> {
                          scope.fork(() -> fail(failure));
                          never.acquire();
                          return "never";
                        }));
    assertThat(called.failure()).isSameAs(failure);
    assertThat(called.endedInterrupted()).isFalse();
    Actor<Void> tried =
        world()
            .start(
                "tried",
                () -> {
                  try (Scope scope = Scope.open()) {
                    scope.fork(() -> fail(failure));
                    never.acquire();
                  }
                });
    assertThat(tried.failure()).isInstanceOf(InterruptedException.class);
    assertThat(tried.failure().getSuppressed()).hasSize(1);
    assertThat(tried.failure().getSuppressed()[0]).isInstanceOf(ScopeFailedException.class).hasCause(failure);
    assertThat(tried.endedInterrupted()).isFalse();
    assertNothingLeft();
  }

  @Test
  void noInterruptLeaksPastTheBlock() {
    Actor<Boolean> owner =
        world()
            .call(
                "owner",
                () -> {
                  Promise<String> failed = new Promise<>();
                  try (Scope scope = Scope.open()) {
                    Task<Object> failing = scope.fork(() -> fail(new IOException("fork")));
                    assertThatThrownBy(failing::awaitUninterruptibly).isInstanceOf(IOException.class);
                    failed.complete("yes");
                    assertThatThrownBy(scope::join).isInstanceOf(IOException.class);
                  }
                  return Thread.currentThread().isInterrupted();
                });
    assertThat(owner.result()).isFalse();
  }

  @Test
  void anErrorAwaitedInTheBodyIsThrownAsItIs() {
    IOException failure = new IOException("fork");
    Actor<Object> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    return scope.fork(() -> fail(failure)).awaitUninterruptibly();
                  }
                });
    assertThat(owner.failure()).isSameAs(failure);
    assertThat(owner.failure().getSuppressed()).singleElement().isInstanceOf(ScopeFailedException.class);
  }

  @Test
  void aBlockLeftWithoutJoiningLosesNoError() {
    IOException failure = new IOException("fork");
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    Task<Object> failing = scope.fork(() -> fail(failure));
                    try {
                      failing.awaitUninterruptibly();
                    } catch (IOException expected) {
                      assertThat(expected).isSameAs(failure);
                    }
                    return "left";
                  }
                });
    assertThat(owner.failure()).isInstanceOf(ScopeFailedException.class).hasCause(failure);
  }

  @Test
  void anInterruptFromOutsideEndsTheWaitAndNotTheTasks() {
    Semaphore go = Semaphore.unbounded(0);
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    Task<String> task =
                        scope.fork(
                            () -> {
                              go.acquire();
                              return "done";
                            });
                    try {
                      scope.join();
                    } catch (InterruptedException e) {
                      go.release();
                      scope.join();
                    }
                    return task.result();
                  }
                });
    owner.interrupt();
    assertThat(owner.result()).isEqualTo("done");
  }

  @Test
  void aForkMayForkAndIsJoinedWithItsOwn() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.call(
                        scope -> {
                          Task<Task<String>> outer =
                              scope.fork(
                                  () -> {
                                    try (Scope inner = Scope.open()) {
                                      Task<Task<String>> grandchild = inner.fork(() -> scope.fork(() -> "deep"));
                                      inner.join();
                                      return grandchild.result();
                                    }
                                  });
                          scope.join();
                          return outer.result().result();
                        }));
    assertThat(owner.result()).isEqualTo("deep");
  }

  @Test
  void scopesLeftOpenAreClosedWithTheOneAround() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  Scope outer = Scope.open();
                  outer.fork(
                      () -> {
                        forkAndAwaitStart(Scope.open());
                      });
                  Scope inner = Scope.open();
                  forkAndAwaitStart(inner);
                  outer.join();
                  outer.close();
                  assertNothingLeft();
                  inner.close();
                  assertThatThrownBy(() -> inner.fork(() -> 1)).isInstanceOf(IllegalStateException.class);
                  assertThat(Scope.timeLeft()).isEmpty();
                });
    owner.result();
    assertThat(events).containsExactly("interrupted", "interrupted");
  }

  @Test
  void whatIsNotAllowedIsRefused() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  Scope scope = Scope.open();
                  assertThatThrownBy(() -> scope.fork((java.util.concurrent.Callable<Object>) null))
                      .isInstanceOf(NullPointerException.class)
                      .hasMessageContaining("work");
                  assertThatThrownBy(scope::results).isInstanceOf(IllegalStateException.class);
                  scope.join();
                  assertThatThrownBy(scope::join)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("joined or closed");
                  assertThatThrownBy(() -> scope.fork(() -> 1)).isInstanceOf(IllegalStateException.class);
                  assertThatThrownBy(() -> scope.tryFork(() -> 1)).isInstanceOf(IllegalStateException.class);
                  assertThatThrownBy(() -> scope.limit(1)).isInstanceOf(IllegalStateException.class);
                  scope.close();
                  scope.close();
                  assertThatThrownBy(scope::join).isInstanceOf(IllegalStateException.class);
                });
    owner.result();
  }

  @Test
  void strangersAreRefused() {
    Promise<Scope> opened = new Promise<>();
    Promise<String> leave = new Promise<>();
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    opened.complete(scope);
                    leave.future().await();
                  }
                });
    Actor<Void> stranger =
        world()
            .start(
                "stranger",
                () -> {
                  Scope scope = opened.future().await();
                  assertThatThrownBy(() -> scope.fork(() -> 1)).isInstanceOf(WrongThreadException.class);
                  assertThatThrownBy(() -> scope.tryFork(() -> 1)).isInstanceOf(WrongThreadException.class);
                  assertThatThrownBy(scope::join).isInstanceOf(WrongThreadException.class);
                  assertThatThrownBy(scope::close).isInstanceOf(WrongThreadException.class);
                  assertThatThrownBy(() -> scope.limit(1)).isInstanceOf(WrongThreadException.class);
                });
    stranger.result();
    leave.complete("now");
    owner.result();
  }

  @Test
  void aFailedScopeForksNothing() {
    IOException failure = new IOException("fork");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1)) {
                    Task<Object> failing = scope.fork(() -> fail(failure));
                    assertThatThrownBy(failing::awaitUninterruptibly).isSameAs(failure);
                    assertThatThrownBy(() -> scope.fork(() -> events.add("ran")))
                        .isInstanceOf(CancellationException.class)
                        .hasCause(failure);
                    assertThatThrownBy(() -> scope.tryFork(() -> events.add("ran")))
                        .isInstanceOf(CancellationException.class);
                    assertThatThrownBy(scope::join).isSameAs(failure);
                  }
                });
    owner.result();
    assertThat(events).isEmpty();
  }

  @Test
  void aForkThatWaitsForTheLimitIsWokenByAFailure() {
    IOException failure = new IOException("fork");
    Semaphore go = Semaphore.unbounded(0);
    Actor<Object> owner =
        world()
            .call(
                "owner",
                () ->
                    Scope.call(
                        scope -> {
                          scope.limit(1);
                          scope.fork(
                              () -> {
                                go.acquire();
                                return fail(failure);
                              });
                          scope.fork(() -> events.add("ran"));
                          return scope.fork(() -> events.add("ran"));
                        }));
    assertThat(owner.isWaiting()).isTrue();
    go.release();
    assertThat(owner.failure()).isSameAs(failure);
    assertThat(owner.endedInterrupted()).isFalse();
  }

  @Test
  void anInterruptWhileWaitingForTheLimitStartsNothing() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1)) {
                    forkAndAwaitStart(scope);
                    scope.fork(() -> events.add("ran"));
                  }
                });
    owner.interrupt();
    assertThat(owner.failure()).isInstanceOf(InterruptedException.class);
    assertThat(events).containsExactly("interrupted");
    assertNothingLeft();
  }

  @Test
  void anErrorOfTheMachineIsAFailureToo() {
    StackOverflowError error = new StackOverflowError("deep");
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        scope -> {
                          scope.fork(
                              () -> {
                                throw error;
                              });
                          scope.join();
                        }));
    assertThat(owner.failure()).isSameAs(error);
  }

  @Test
  void manyForksLeaveNothingBehind() {
    Actor<Integer> owner =
        world()
            .call(
                "owner",
                () -> {
                  AtomicInteger sum = new AtomicInteger();
                  try (Scope scope = Scope.open()) {
                    for (int i = 0; i < 2_000; i++) {
                      int n = i;
                      scope.fork(
                          () -> {
                            enter();
                            sum.addAndGet(n);
                            exit();
                          });
                    }
                    scope.join();
                    assertThat(threads).hasSize(2_000).noneMatch(Thread::isAlive);
                  }
                  return sum.get();
                });
    assertThat(owner.result()).isEqualTo(1_999_000);
  }
}
