// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.pattern.BoundedExecutor.Snapshot;
import dev.baton.pattern.BoundedExecutor.WhenFull;
import dev.baton.scope.Time;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Worlds;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"NullAway", "FutureReturnValueIgnored"}) // nulls are given on purpose; not every result matters
class BoundedExecutorTest extends InEveryWorld {
  private final Semaphore go = Semaphore.unbounded(0);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private void work() {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    running.decrementAndGet();
    ended.incrementAndGet();
  }

  /** A task that waits until it may go on. */
  private Runnable slow(String name) {
    return () -> {
      threads.add(Thread.currentThread());
      order.add(name);
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      try {
        go.acquire();
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
      } finally {
        running.decrementAndGet();
        ended.incrementAndGet();
      }
    };
  }

  private void fill(BoundedExecutor executor, int tasks) {
    for (int i = 0; i < tasks; i++) {
      String name = "task " + i;
      world().start("submit", () -> executor.execute(slow(name))).result();
    }
    Eventually.holds(world(), () -> go.waiting() == Math.min(tasks, executor.limit()));
  }

  private void release(int n) {
    world().start("go", () -> go.release(n)).result();
  }

  private void close(BoundedExecutor executor) {
    world().start("close", executor::close).result();
    assertThat(running).hasValue(0);
    assertThat(threads).noneMatch(Thread::isAlive);
    assertThat(executor.isTerminated()).isTrue();
  }

  // ---- the promise ----

  @Test
  void pattern23_aMillionTasksAndNeverMoreThanTheLimit() {
    int tasks = kind == Worlds.STEPPED ? 60 : 1_000_000;
    int limit = kind == Worlds.STEPPED ? 3 : 10;
    BoundedExecutor executor = BoundedExecutor.limit(limit).build();
    world().takeTurns();
    Actor<Void> submitter =
        world()
            .start(
                "submitter",
                () -> {
                  try (executor) {
                    for (int i = 0; i < tasks; i++) {
                      executor.execute(this::work);
                    }
                  }
                });
    submitter.result();
    assertThat(ended).hasValue(tasks);
    assertThat(most.get()).isBetween(1, limit);
    Snapshot last = executor.snapshot();
    assertThat(last.peak()).isBetween(1, limit);
    assertThat(last).isEqualTo(new Snapshot(0, 0, 0, tasks, 0, last.peak()));
  }

  @Test
  void pattern23_noThreadIsLeftWhenThereIsNothingToDo() {
    BoundedExecutor executor = BoundedExecutor.limit(4).queue(4).build();
    fill(executor, 8);
    assertThat(most).hasValue(4);
    release(8);
    Eventually.holds(world(), () -> ended.get() == 8);
    // Without shutting down: nobody idles.
    Eventually.gone(world(), threads);
    fill(executor, 1);
    release(1);
    close(executor);
    assertThat(executor.snapshot().completed()).isEqualTo(9);
  }

  @Test
  void pattern23_theSubmitterWaitsAndCanBeCancelled() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    fill(executor, 1);
    Actor<Void> executing = world().start("execute", () -> executor.execute(slow("never")));
    Actor<Void> submitting = world().start("submit", () -> executor.submitInterruptibly(slow("never")));
    Actor<Void> patient = world().start("patient", () -> executor.execute(slow("patient")));
    assertThat(executor.snapshot().waiting()).isEqualTo(3);
    executing.interrupt();
    assertThat(executing.failure()).isInstanceOf(RejectedExecutionException.class).hasMessageContaining("nterrupted");
    assertThat(executing.endedInterrupted()).isTrue();
    submitting.interrupt();
    assertThat(submitting.failure()).isInstanceOf(InterruptedException.class);
    assertThat(submitting.endedInterrupted()).isFalse();
    release(2);
    patient.result();
    close(executor);
    assertThat(order).containsExactly("task 0", "patient");
    assertThat(executor.snapshot()).isEqualTo(new Snapshot(0, 0, 0, 2, 2, 1));
  }

  @Test
  void pattern23_tasksBeginInTheOrderInWhichTheyWereHandedIn() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(2).build();
    fill(executor, 3);
    List<Actor<Void>> waiting = new ArrayList<>();
    for (int i = 3; i < 7; i++) {
      String name = "task " + i;
      waiting.add(world().start("submit", () -> executor.execute(slow(name))));
    }
    assertThat(executor.snapshot()).isEqualTo(new Snapshot(1, 2, 4, 0, 0, 1));
    assertThat(world().call("no room", () -> executor.tryExecute(slow("overtaker"))).result()).isFalse();
    release(1);
    waiting.getFirst().result();
    Eventually.holds(world(), () -> go.waiting() == 1 && order.size() == 2);
    assertThat(executor.snapshot()).isEqualTo(new Snapshot(1, 2, 3, 1, 1, 1));
    release(6);
    waiting.forEach(Actor::result);
    close(executor);
    assertThat(order).containsExactly("task 0", "task 1", "task 2", "task 3", "task 4", "task 5", "task 6");
  }

  @Test
  void pattern23_inRejectModeTheSubmitterIsRefusedAtOnce() {
    BoundedExecutor executor = BoundedExecutor.limit(2).queue(1).whenFull(WhenFull.REJECT).build();
    fill(executor, 3);
    Actor<Void> refused = world().start("refused", () -> executor.execute(slow("never")));
    assertThat(refused.failure())
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("2 tasks run and 1 are stored");
    assertThat(world().start("refused too", () -> executor.submit(() -> 1)).failure())
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(executor.snapshot()).isEqualTo(new Snapshot(2, 1, 0, 0, 2, 2));
    // Whoever asks to wait, waits.
    Actor<Void> waiting = world().start("waiting", () -> executor.executeInterruptibly(slow("late")));
    release(4);
    waiting.result();
    close(executor);
    assertThat(order).hasSize(4).doesNotContain("never");
  }

  @Test
  void theCallerRunsWhatThereIsNoRoomFor() {
    BoundedExecutor executor = BoundedExecutor.limit(1).whenFull(WhenFull.CALLER_RUNS).build();
    fill(executor, 1);
    Actor<Thread> caller =
        world()
            .call(
                "caller",
                () -> {
                  AtomicReference<Thread> ran = new AtomicReference<>();
                  executor.execute(() -> ran.set(Thread.currentThread()));
                  assertThat(ran.get()).isSameAs(Thread.currentThread());
                  assertThat(executor.submit(() -> 5).get()).isEqualTo(5);
                  return ran.get();
                });
    caller.result();
    release(1);
    close(executor);
    assertThat(executor.snapshot().completed()).isEqualTo(3);
    assertThat(world().start("late", () -> executor.execute(slow("never"))).failure())
        .isInstanceOf(RejectedExecutionException.class);
  }

  // ---- trying ----

  @Test
  void anAttemptNeverBlocksAndATimedOneEndsInTime() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Actor<Optional<Future<Integer>>> accepted = world().call("accepted", () -> executor.trySubmit(() -> 5));
    assertThat(world().call("get", () -> accepted.result().orElseThrow().get()).result()).isEqualTo(5);
    fill(executor, 1);
    assertThat(world().call("refused", () -> executor.trySubmit(() -> 5)).result()).isEmpty();
    assertThat(world().call("refused", () -> executor.trySubmit(() -> 5, Duration.ZERO)).result()).isEmpty();
    assertThat(world().call("refused", () -> executor.tryExecute(this::work)).result()).isFalse();
    Actor<Boolean> timed = world().call("timed", () -> executor.tryExecute(this::work, SHORT));
    world().pass(SHORT.multipliedBy(2));
    assertThat(timed.result()).isFalse();
    assertThat(executor.snapshot().waiting()).isZero();
    Actor<Optional<Future<Integer>>> patient = world().call("patient", () -> executor.trySubmit(() -> 6, LONG));
    Actor<Void> cancelled = world().start("cancelled", () -> executor.trySubmit(() -> 7, LONG));
    cancelled.interrupt();
    assertThat(cancelled.failure()).isInstanceOf(InterruptedException.class);
    release(1);
    assertThat(world().call("get", () -> patient.result().orElseThrow().get()).result()).isEqualTo(6);
    close(executor);
  }

  // ---- futures ----

  @Test
  void aFutureTellsHowItsTaskEnded() {
    IllegalStateException failure = new IllegalStateException("a task");
    Actor<Void> all =
        world()
            .start(
                "all",
                () -> {
                  try (BoundedExecutor executor = BoundedExecutor.limit(2).build()) {
                    Future<Integer> value = executor.submit(() -> 5);
                    assertThat(value.get()).isEqualTo(5);
                    assertThat(value.resultNow()).isEqualTo(5);
                    assertThat(value.cancel(true)).isFalse();
                    assertThat(executor.submit(this::work, "done").get()).isEqualTo("done");
                    assertThat(executor.submit(this::work).get()).isNull();
                    Future<?> failed =
                        executor.submit(
                            (Runnable)
                                () -> {
                                  throw failure;
                                });
                    assertThatThrownBy(failed::get).hasCause(failure);
                    assertThat(failed.state()).isEqualTo(Future.State.FAILED);
                    assertThat(failed.exceptionNow()).isSameAs(failure);
                  }
                });
    all.result();
  }

  @Test
  void aWaitForAFutureCanBeCutShort() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Actor<Future<?>> submitted = world().call("submit", () -> executor.submit(slow("slow")));
    submitted.result();
    Actor<Void> timed = world().start("timed", () -> submitted.result().get(1, java.util.concurrent.TimeUnit.MILLISECONDS));
    Actor<Void> waiting = world().start("waiting", () -> submitted.result().get());
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(java.util.concurrent.TimeoutException.class);
    waiting.interrupt();
    assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    assertThat(interrupted).hasValue(0);
    release(1);
    close(executor);
  }

  @Test
  void cancellingAStoredTaskMakesRoomAtOnce() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(1).build();
    fill(executor, 1);
    Actor<Future<?>> stored = world().call("stored", () -> executor.submit(slow("stored")));
    stored.result();
    Actor<Void> waiting = world().start("waiting", () -> executor.execute(slow("waiting")));
    assertThat(executor.snapshot().waiting()).isEqualTo(1);
    assertThat(world().call("cancel", () -> stored.result().cancel(false)).result()).isTrue();
    waiting.result();
    assertThat(stored.result().isCancelled()).isTrue();
    assertThatThrownBy(() -> stored.result().get()).isInstanceOf(java.util.concurrent.CancellationException.class);
    assertThat(executor.snapshot().queued()).isEqualTo(1);
    release(2);
    close(executor);
    assertThat(order).containsExactly("task 0", "waiting");
  }

  @Test
  void cancellingARunningTaskInterruptsItAndNotTheNext() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(10).build();
    Actor<Future<?>> slow = world().call("submit", () -> executor.submit(slow("slow")));
    slow.result();
    Eventually.holds(world(), () -> go.waiting() == 1);
    Actor<Future<Boolean>> next = world().call("next", () -> executor.submit(Thread::interrupted));
    next.result();
    assertThat(world().call("cancel", () -> slow.result().cancel(true)).result()).isTrue();
    assertThat(slow.result().isDone()).isTrue();
    assertThat(world().call("get", () -> next.result().get()).result()).isFalse();
    assertThat(interrupted).hasValue(1);
    close(executor);
  }

  @Test
  void noInterruptLeaksFromOneTaskToTheNext() {
    int tasks = kind == Worlds.STEPPED ? 10 : 5_000;
    AtomicInteger leaked = new AtomicInteger();
    Actor<Void> submitter =
        world()
            .start(
                "submitter",
                () -> {
                  try (BoundedExecutor executor = BoundedExecutor.limit(2).queue(2).build()) {
                    for (int i = 0; i < tasks; i++) {
                      Future<?> future =
                          executor.submit(
                              () -> {
                                if (Thread.currentThread().isInterrupted() && !go.tryAcquire()) {
                                  leaked.incrementAndGet();
                                }
                              });
                      executor.execute(() -> Thread.currentThread().interrupt());
                      if (i % 2 == 0) {
                        future.cancel(false);
                      }
                    }
                  }
                });
    submitter.result();
    assertThat(leaked).hasValue(0);
  }

  @Test
  void anErrorGoesToTheHandlerOfItsThreadAndTheNextTaskRuns() {
    Assumptions.assumeTrue(kind != Worlds.STEPPED, "hosts have their own ways with errors of their tasks");
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(10).build();
    List<Throwable> seen = Collections.synchronizedList(new ArrayList<>());
    IllegalStateException failure = new IllegalStateException("a task");
    for (int i = 0; i < 3; i++) {
      executor.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> seen.add(error));
            throw failure;
          });
      executor.execute(this::work);
    }
    close(executor);
    assertThat(ended).hasValue(3);
    assertThat(seen).containsExactly(failure, failure, failure);
    assertThat(executor.snapshot().completed()).isEqualTo(6);
  }

  @Test
  void theHandlerOfAnErrorMayCloseTheExecutor() {
    Assumptions.assumeTrue(kind != Worlds.STEPPED, "hosts have their own ways with errors of their tasks");
    BoundedExecutor executor = BoundedExecutor.limit(2).queue(10).build();
    AtomicReference<String> closed = new AtomicReference<>();
    executor.execute(slow("other"));
    executor.execute(
        () -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler(
                  (thread, error) -> {
                    go.release(1);
                    executor.close();
                    closed.set(error.getMessage());
                  });
          throw new IllegalStateException("a task");
        });
    Eventually.holds(world(), () -> closed.get() != null);
    assertThat(closed).hasValue("a task");
    close(executor);
  }

  @Test
  void eachTaskMayHaveAThreadOfItsOwn() {
    BoundedExecutor executor = BoundedExecutor.limit(2).queue(20).threadPerTask().name("own").build();
    world()
        .start(
            "submit",
            () -> {
              for (int i = 0; i < 10; i++) {
                executor.execute(slow("task " + i));
              }
            })
        .result();
    release(10);
    close(executor);
    assertThat(threads).hasSize(10);
    assertThat(most.get()).isLessThanOrEqualTo(2);
    if (kind != Worlds.STEPPED) {
      assertThat(threads).extracting(Thread::getName).allMatch(name -> name.startsWith("own-")).doesNotHaveDuplicates();
    }
  }

  // ---- several at once ----

  private Callable<String> slowCall(String name) {
    return () -> {
      order.add(name);
      try {
        go.acquire();
        return name;
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
        throw e;
      }
    };
  }

  @Test
  void allAreInvokedAndTheirFuturesHaveEnded() {
    Actor<List<Future<Integer>>> caller =
        world()
            .call(
                "caller",
                () -> {
                  try (BoundedExecutor executor = BoundedExecutor.limit(2).build()) {
                    return executor.invokeAll(
                        List.of(
                            () -> 1,
                            () -> {
                              throw new IllegalStateException("a task");
                            },
                            () -> 3));
                  }
                });
    List<Future<Integer>> all = caller.result();
    assertThat(all).allMatch(Future::isDone);
    assertThat(all.get(0).resultNow()).isEqualTo(1);
    assertThat(all.get(1).state()).isEqualTo(Future.State.FAILED);
    assertThat(all.get(2).resultNow()).isEqualTo(3);
  }

  @Test
  void whoeverInvokesAllAndIsInterruptedCancelsThem() {
    BoundedExecutor executor = BoundedExecutor.limit(2).build();
    Actor<Void> caller =
        world().start("caller", () -> executor.invokeAll(List.of(slowCall("a"), slowCall("b"), slowCall("c"))));
    Eventually.holds(world(), () -> go.waiting() == 2);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    close(executor);
    assertThat(interrupted).hasValue(2);
    assertThat(order).doesNotContain("c");
  }

  @Test
  void whoeverInvokesAllForALimitedTimeCancelsWhatHasNotEnded() {
    BoundedExecutor executor = BoundedExecutor.limit(2).build();
    Actor<List<Future<String>>> caller =
        world()
            .call(
                "caller",
                () ->
                    executor.invokeAll(
                        List.of(() -> "quick", slowCall("b"), slowCall("c"), slowCall("d")),
                        SHORT.toNanos(),
                        java.util.concurrent.TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    List<Future<String>> all = caller.result();
    assertThat(all).hasSize(4).allMatch(Future::isDone);
    assertThat(all.getFirst().resultNow()).isEqualTo("quick");
    assertThat(all.subList(1, 4)).allMatch(Future::isCancelled);
    close(executor);
  }

  /** Sleeps for longer than an invoker waits. */
  private String nap() throws InterruptedException {
    order.add("nap");
    Time.sleep(SHORT.multipliedBy(2));
    return "slept";
  }

  @Test
  void whoeverInvokesForALimitedTimeAndRunsTasksItselfBeginsNoneOnceTheTimeHasPassed() {
    BoundedExecutor executor = BoundedExecutor.limit(1).whenFull(WhenFull.CALLER_RUNS).build();
    fill(executor, 1);
    Callable<String> failing =
        () -> {
          throw new IllegalStateException(nap());
        };
    Actor<List<Future<String>>> all =
        world()
            .call("all", () -> executor.invokeAll(List.of(this::nap, this::nap, this::nap), SHORT.toNanos(), TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    assertThat(all.result().subList(1, 3)).allMatch(Future::isCancelled);
    Actor<String> any =
        world().call("any", () -> executor.invokeAny(List.of(failing, failing, failing), SHORT.toNanos(), TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    assertThat(any.failure()).isInstanceOf(TimeoutException.class);
    // One for each, or none if the machine was too slow even for that.
    assertThat(Collections.frequency(order, "nap")).isLessThanOrEqualTo(2);
    oneOfItsPlacesIsTaken(executor, 1);
  }

  @Test
  void whoeverInvokesAllForNoTimeIsNotRefusedForWantOfRoom() {
    BoundedExecutor executor = BoundedExecutor.limit(1).whenFull(WhenFull.REJECT).build();
    fill(executor, 1);
    Actor<List<Future<String>>> all =
        world().call("all", () -> executor.invokeAll(List.of(() -> "never", () -> "never"), 0, TimeUnit.NANOSECONDS));
    assertThat(all.result()).hasSize(2).allMatch(Future::isCancelled);
    oneOfItsPlacesIsTaken(executor, 1);
  }

  /** Tasks to which others add, or from which they take, between the look at how many there are and the look at each. */
  private static <T> Collection<T> changing(int size, List<T> tasks) {
    return new AbstractCollection<>() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public Iterator<T> iterator() {
        return tasks.iterator();
      }

      @Override
      public Object[] toArray() {
        return tasks.toArray();
      }
    };
  }

  @Test
  void anyOfACollectionThatOthersChangeEndsWithThoseThatWereHandedIn() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Callable<String> failing =
        () -> {
          throw new IllegalStateException("a task");
        };
    Actor<String> fewer = world().call("fewer", () -> executor.invokeAny(changing(3, List.of(failing))));
    assertThat(fewer.failure()).isInstanceOf(java.util.concurrent.ExecutionException.class).hasRootCauseMessage("a task");
    Actor<String> more = world().call("more", () -> executor.invokeAny(changing(1, List.of(failing, () -> "b"))));
    assertThat(more.result()).isEqualTo("b");
    close(executor);
  }

  @Test
  void theFirstOfAnySucceedsAndTheOthersAreCancelled() {
    BoundedExecutor executor = BoundedExecutor.limit(3).build();
    Callable<String> failing =
        () -> {
          throw new IllegalStateException("a task");
        };
    Actor<String> caller =
        world().call("caller", () -> executor.invokeAny(List.of(slowCall("a"), failing, () -> "b", slowCall("c"))));
    assertThat(caller.result()).isEqualTo("b");
    Actor<String> none = world().call("none", () -> executor.invokeAny(List.of(failing, failing)));
    assertThat(none.failure()).isInstanceOf(java.util.concurrent.ExecutionException.class).hasRootCauseMessage("a task");
    Actor<String> late =
        world()
            .call(
                "late",
                () -> executor.invokeAny(List.of(slowCall("d")), SHORT.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    assertThat(late.failure()).isInstanceOf(java.util.concurrent.TimeoutException.class);
    assertThat(world().call("empty", () -> executor.invokeAny(List.<Callable<String>>of())).failure())
        .isInstanceOf(IllegalArgumentException.class);
    close(executor);
    assertThat(go.waiting()).isZero();
  }

  @Test
  void theFirstOfAnyIsReturnedWhileThereIsNoRoomForTheRest() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Semaphore answer = Semaphore.unbounded(0);
    Callable<String> failing =
        () -> {
          answer.acquire();
          throw new IllegalStateException("a task");
        };
    Callable<String> quick =
        () -> {
          answer.acquire();
          return "quick";
        };
    Actor<String> any = world().call("any", () -> executor.invokeAny(List.of(failing, quick, slowCall("rest"))));
    Eventually.holds(world(), () -> answer.waiting() == 1 && executor.snapshot().waiting() == 1);
    // Stands behind the second and before the third, and will keep the only place.
    Actor<Void> other = world().start("other", () -> executor.execute(slow("other")));
    Eventually.holds(world(), () -> executor.snapshot().waiting() == 2);
    world().start("answer", () -> answer.release()).result();
    Eventually.holds(world(), () -> answer.waiting() == 1 && executor.snapshot().waiting() == 2);
    world().start("answer", () -> answer.release()).result();
    assertThat(any.result()).isEqualTo("quick");
    other.result();
    assertThat(executor.snapshot().waiting()).isZero();
    release(1);
    close(executor);
    assertThat(order).containsExactly("other");
  }

  /** One task holds one of {@code limit} places, and nothing else runs: so many more are accepted, and none beyond. */
  private void oneOfItsPlacesIsTaken(BoundedExecutor executor, int limit) {
    Eventually.holds(world(), () -> executor.snapshot().running() == 1 && executor.snapshot().queued() == 0);
    for (int i = 1; i < limit; i++) {
      assertThat(world().call("room", () -> executor.tryExecute(slow("accepted"))).result()).isTrue();
    }
    assertThat(world().call("no room", () -> executor.tryExecute(slow("one too many"))).result()).isFalse();
    release(limit);
    close(executor);
    assertThat(order).doesNotContain("one too many");
    assertThat(most.get()).isLessThanOrEqualTo(limit);
  }

  @Test
  void tasksThatWereRefusedGiveNoPlaceBack() {
    BoundedExecutor executor = BoundedExecutor.limit(1).whenFull(WhenFull.REJECT).build();
    fill(executor, 1);
    assertThat(world().start("all", () -> executor.invokeAll(List.of(slowCall("a"), slowCall("b")))).failure())
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(world().start("any", () -> executor.invokeAny(List.of(slowCall("a"), slowCall("b")))).failure())
        .isInstanceOf(RejectedExecutionException.class);
    oneOfItsPlacesIsTaken(executor, 1);
  }

  @Test
  void tasksForWhichThereWasNoRoomInTimeGiveNoPlaceBack() {
    BoundedExecutor executor = BoundedExecutor.limit(2).build();
    fill(executor, 1);
    Actor<List<Future<String>>> all =
        world()
            .call(
                "all",
                () ->
                    executor.invokeAll(
                        List.of(slowCall("a"), slowCall("b"), slowCall("c")),
                        SHORT.toNanos(),
                        java.util.concurrent.TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    assertThat(all.result()).allMatch(Future::isCancelled);
    Actor<String> any =
        world()
            .call(
                "any",
                () ->
                    executor.invokeAny(
                        List.of(slowCall("a"), slowCall("b"), slowCall("c")),
                        SHORT.toNanos(),
                        java.util.concurrent.TimeUnit.NANOSECONDS));
    world().pass(SHORT.multipliedBy(2));
    assertThat(any.failure()).isInstanceOf(java.util.concurrent.TimeoutException.class);
    oneOfItsPlacesIsTaken(executor, 2);
  }

  @Test
  void tasksOfAnInvokerThatWasInterruptedGiveNoPlaceBackThatTheyDoNotHave() {
    BoundedExecutor executor = BoundedExecutor.limit(2).build();
    fill(executor, 1);
    Actor<Void> all =
        world().start("all", () -> executor.invokeAll(List.of(slowCall("a"), slowCall("b"), slowCall("c"))));
    Eventually.holds(world(), () -> executor.snapshot().waiting() == 1);
    all.interrupt();
    assertThat(all.failure()).isInstanceOf(InterruptedException.class);
    oneOfItsPlacesIsTaken(executor, 2);
  }

  @Test
  void tasksThatAreNotNeededAnyMoreGiveNoPlaceBack() {
    BoundedExecutor executor = BoundedExecutor.limit(2).build();
    fill(executor, 1);
    Actor<String> any =
        world().call("any", () -> executor.invokeAny(List.of(() -> "first", slowCall("b"), slowCall("c"), slowCall("d"))));
    assertThat(any.result()).isEqualTo("first");
    oneOfItsPlacesIsTaken(executor, 2);
  }

  // ---- the end ----

  @Test
  void closingWaitsForAllThatWasAcceptedAndRefusesTheRest() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(1).build();
    fill(executor, 2);
    Actor<Void> waiting = world().start("waiting", () -> executor.execute(slow("never")));
    Actor<Void> closing = world().start("closing", executor::close);
    assertThat(waiting.failure()).isInstanceOf(RejectedExecutionException.class).hasMessageContaining("shut down");
    assertThat(waiting.endedInterrupted()).isFalse();
    assertThat(world().start("late", () -> executor.execute(slow("never"))).failure())
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(closing.isDone()).isFalse();
    assertThat(executor.isShutdown()).isTrue();
    assertThat(executor.isTerminated()).isFalse();
    assertThat(world().call("await", () -> executor.awaitTermination(Duration.ZERO)).result()).isFalse();
    release(2);
    closing.result();
    assertThat(world().call("await", () -> executor.awaitTermination(LONG)).result()).isTrue();
    close(executor);
    assertThat(order).containsExactly("task 0", "task 1");
  }

  @Test
  void anInterruptedCloserInterruptsTheTasksAndStillWaits() {
    BoundedExecutor executor = BoundedExecutor.limit(2).queue(2).build();
    fill(executor, 4);
    Actor<Void> closing = world().start("closing", executor::close);
    closing.interrupt();
    closing.result();
    assertThat(closing.endedInterrupted()).isTrue();
    assertThat(interrupted).hasValue(2);
    assertThat(order).hasSize(2);
    close(executor);
  }

  @Test
  void whoeverWaitsForATaskThatAnInterruptedCloserHasDroppedIsTold() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(2).build();
    fill(executor, 1);
    Actor<Future<?>> submitted = world().call("submit", () -> executor.submit(slow("never")));
    Actor<Void> waiting = world().start("waiting", () -> submitted.result().get());
    Actor<Void> closing = world().start("closing", executor::close);
    closing.interrupt();
    closing.result();
    assertThat(waiting.failure()).isInstanceOf(java.util.concurrent.CancellationException.class);
    assertThat(submitted.result().isCancelled()).isTrue();
    assertThat(order).containsExactly("task 0");
    close(executor);
  }

  @Test
  void whoeverWaitsForAnyOfSeveralThatAnInterruptedCloserHasEndedIsTold() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(10).build();
    Actor<String> any = world().call("any", () -> executor.invokeAny(List.of(slowCall("a"), slowCall("b"), slowCall("c"))));
    Eventually.holds(world(), () -> go.waiting() == 1 && executor.snapshot().queued() == 2);
    Actor<Void> closing = world().start("closing", executor::close);
    closing.interrupt();
    closing.result();
    assertThat(any.failure()).isInstanceOf(java.util.concurrent.ExecutionException.class);
    assertThat(interrupted).hasValue(1);
    assertThat(order).containsExactly("a");
    close(executor);
  }

  @Test
  void whoeverWaitsForAnyOfSeveralIsToldWhenThoseThatNeverBeganAreCancelled() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(10).build();
    Actor<String> any = world().call("any", () -> executor.invokeAny(List.of(slowCall("a"), slowCall("b"))));
    Eventually.holds(world(), () -> go.waiting() == 1 && executor.snapshot().queued() == 1);
    Actor<List<Runnable>> left = world().call("now", executor::shutdownNow);
    assertThat(left.result()).hasSize(1);
    // The one that was interrupted has ended by then: the cause is what ended last.
    Eventually.holds(world(), () -> executor.snapshot().running() == 0);
    assertThat(any.isDone()).isFalse();
    world().start("cancel", () -> ((Future<?>) left.result().getFirst()).cancel(false)).result();
    assertThat(any.failure())
        .isInstanceOf(java.util.concurrent.ExecutionException.class)
        .hasCauseInstanceOf(java.util.concurrent.CancellationException.class);
    close(executor);
  }

  @Test
  void shuttingDownNowInterruptsAndGivesBackWhatHasNotBegun() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(3).build();
    fill(executor, 1);
    Runnable plain = slow("plain");
    world().start("plain", () -> executor.execute(plain)).result();
    Actor<Future<?>> future = world().call("future", () -> executor.submit(slow("future")));
    future.result();
    Actor<List<Runnable>> left = world().call("now", executor::shutdownNow);
    assertThat(left.result()).containsExactly(plain, (Runnable) future.result());
    close(executor);
    assertThat(interrupted).hasValue(1);
    assertThat(order).containsExactly("task 0");
    // As with the JDK's: whoever gets them may still run them.
    release(1);
    world().start("run it", left.result().get(1)::run).result();
    assertThat(future.result().isDone()).isTrue();
  }

  @Test
  void aTaskCannotCloseItsOwnExecutor() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () ->
                    assertThatThrownBy(() -> executor.submit(executor::close).get())
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("its own end"));
    caller.result();
    close(executor);
  }

  @Test
  void badArgumentsAreRefusedAndNothingChanges() {
    for (int limit : new int[] {0, -1}) {
      assertThatThrownBy(() -> BoundedExecutor.limit(limit)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> BoundedExecutor.limit(1).queue(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BoundedExecutor.limit(1).name(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> BoundedExecutor.limit(1).whenFull(null)).isInstanceOf(NullPointerException.class);
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> executor.submit((Callable<?>) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> executor.submit((Runnable) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> executor.submit(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> executor.tryExecute(null)).isInstanceOf(NullPointerException.class);
    Actor<Void> nulls =
        world()
            .start(
                "nulls",
                () -> {
                  List<Callable<Integer>> tasks = new ArrayList<>();
                  tasks.add(() -> 1);
                  tasks.add(null);
                  assertThatThrownBy(() -> executor.invokeAll(tasks)).isInstanceOf(NullPointerException.class);
                  assertThatThrownBy(() -> executor.invokeAny(tasks)).isInstanceOf(NullPointerException.class);
                });
    nulls.result();
    assertThat(executor.snapshot()).isEqualTo(new Snapshot(0, 0, 0, 0, 0, 0));
    close(executor);
  }

  @Test
  void whatHasEndedIsToldToSomebodyInterruptedToo() {
    BoundedExecutor executor = BoundedExecutor.limit(1).build();
    Actor<Boolean> interrupted =
        world()
            .call(
                "interrupted",
                () -> {
                  Future<Integer> future = executor.submit(() -> 42);
                  assertThat(future.get()).isEqualTo(42);
                  executor.close();
                  Thread.currentThread().interrupt();
                  assertThat(future.get()).isEqualTo(42);
                  assertThat(future.get(1, TimeUnit.SECONDS)).isEqualTo(42);
                  assertThat(executor.awaitTermination(LONG)).isTrue();
                  return Thread.interrupted();
                });
    assertThat(interrupted.result()).isTrue();
  }

  @Test
  void whoeverKeepsACancelledFutureDoesNotKeepTheWork() {
    BoundedExecutor executor = BoundedExecutor.limit(1).queue(1).build();
    fill(executor, 1);
    List<Future<?>> futures = new ArrayList<>();
    WeakReference<Object> work = world().call("submit", () -> submitAndCancel(executor, futures)).result();
    Eventually.holds(
        world(),
        () -> {
          System.gc();
          return work.refersTo(null);
        });
    assertThat(futures).singleElement().matches(Future::isCancelled);
    release(1);
    close(executor);
  }

  private static WeakReference<Object> submitAndCancel(BoundedExecutor executor, List<Future<?>> futures) {
    Object large = new Object();
    Future<Integer> future = executor.submit(large::hashCode);
    future.cancel(false);
    futures.add(future);
    return new WeakReference<>(large);
  }
}
