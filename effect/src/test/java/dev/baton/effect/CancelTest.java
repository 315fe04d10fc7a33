// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Ending tasks before their time. */
class CancelTest extends OnBothEngines {

  @Test
  void case42_aTaskThatHasNotBegunNeverDoes() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    value(
        () -> {
          Task<Object> task = spawn(() -> { ran.set(true); return null; });
          task.cancel();
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(ran).isFalse();
  }

  @Test
  void case43_aTaskThatPerformsManyEffects() throws Exception {
    value(
        () -> {
          Task<Object> task =
              spawn(
                  () -> {
                    put("n", 0);
                    while (true) {
                      Effects.<Integer>modify("n", n -> n + 1);
                    }
                  });
          yieldNow();
          yieldNow();
          cancel(task);
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
  }

  @Test
  void case45_aTaskBlockedOnAnExternalPromiseDoesNotHoldUpTheRun() throws Exception {
    assertThat(this.<String>value(() -> {
          Task<Object> task = spawn(() -> join(externalPromise().future()));
          yieldNow();
          cancel(task);
          return "ended";
        }))
        .isEqualTo("ended");
  }

  @Test
  void case46_cancellingWhatHasEndedOrAgainDoesNothing() throws Exception {
    value(
        () -> {
          Task<Integer> done = spawn(() -> 5);
          join(done);
          assertThat(done.cancel()).isFalse();
          cancel(done);
          assertThat(join(done)).isEqualTo(5);

          List<String> steps = new ArrayList<>();
          Task<Object> slow =
              spawn(
                  () -> {
                    try {
                      sleep(Duration.ofHours(1));
                    } catch (TaskCancelledException e) {
                      steps.add("told");
                      yieldNow();
                      steps.add("cleaned up");
                      throw e;
                    }
                    return null;
                  });
          yieldNow();
          assertThat(slow.cancel()).isTrue();
          assertThat(steps).isEmpty();
          assertThat(slow.state().isDone()).isFalse();
          assertThat(slow.cancel()).isFalse();
          assertThatThrownBy(() -> join(slow)).isInstanceOf(TaskCancelledException.class);
          assertThat(steps).containsExactly("told", "cleaned up");
          return null;
        });
  }

  @Test
  void case48_finallyBlocksRunOnceInsideOutMayPerformAndComeBeforeTheWaiters() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore semaphore = Effects.semaphore(1);
          Promise<Object> never = promise();
          Task<Integer> helper = spawn(() -> 3);
          Task<Object> task =
              spawn(
                  () -> {
                    acquire(semaphore);
                    try {
                      try {
                        return join(never.future());
                      } finally {
                        tell("inner");
                        order.add("inner " + join(helper));
                      }
                    } finally {
                      release(semaphore);
                      order.add("outer");
                    }
                  });
          yieldNow();
          Task<Object> waiter =
              spawn(
                  () -> {
                    assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
                    order.add("waiter");
                    return null;
                  });
          yieldNow();
          cancel(task);
          join(waiter);
          assertThat(semaphore.available()).isEqualTo(1);
          return null;
        });
    assertThat(order).containsExactly("inner 3", "outer", "waiter");
  }

  @Test
  void aReleaseThatIsToldOfTheCancellationHasTakenPlace() throws Exception {
    boolean[] inside = new boolean[1];
    value(
        () -> {
          Semaphore semaphore = Effects.semaphore(1);
          Task<Object> task =
              spawn(
                  () -> {
                    acquire(semaphore);
                    inside[0] = true;
                    release(semaphore);
                    return null;
                  });
          while (!inside[0]) {
            yieldNow();
          }
          // It has given up its turn in the release, and not had it since.
          task.cancel();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          assertThat(semaphore.available()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void case50_aTaskThatCancelsItselfIsToldAtItsNextEffect() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          List<Task<Object>> self = new ArrayList<>();
          self.add(
              spawn(
                  () -> {
                    self.getFirst().cancel();
                    order.add("goes on");
                    tell("told here");
                    order.add("not reached");
                    return null;
                  }));
          assertThatThrownBy(() -> join(self.getFirst())).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(order).containsExactly("goes on");
  }

  @Test
  void case51_outsideWorkIsCancelledToo() throws Exception {
    CompletableFuture<Integer> foreign = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> interrupted = new CompletableFuture<>();
    value(
        () -> {
          Task<Integer> stage = spawn(() -> Effects.<Integer>await(foreign));
          Task<Object> work =
              spawn(
                  () ->
                      Effects.await(
                          () -> {
                            begun.countDown();
                            try {
                              new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                              interrupted.complete("interrupted");
                            }
                            return null;
                          }));
          while (begun.getCount() > 0) {
            yieldNow();
          }
          cancel(stage);
          cancel(work);
          assertThatThrownBy(() -> join(stage)).isInstanceOf(TaskCancelledException.class);
          assertThatThrownBy(() -> join(work)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(foreign).isCancelled();
    assertThat(interrupted.get()).isEqualTo("interrupted");
  }

  @Test
  void case52_attemptTellsOfOthersCancellationsButNotOfItsOwn() throws Exception {
    value(
        () -> {
          Task<Object> other = spawn(() -> join(promise().future()));
          yieldNow();
          cancel(other);
          Result<Object> result = attempt(() -> join(other));
          assertThat(result)
              .isInstanceOfSatisfying(
                  Result.Err.class, err -> assertThat(err.error()).isInstanceOf(TaskCancelledException.class));

          List<String> reached = new ArrayList<>();
          Task<Object> own =
              spawn(
                  () -> {
                    attempt(() -> join(promise().future()));
                    reached.add("after the attempt");
                    return null;
                  });
          yieldNow();
          yieldNow();
          cancel(own);
          assertThatThrownBy(() -> join(own)).isInstanceOf(TaskCancelledException.class);
          assertThat(reached).isEmpty();
          return null;
        });
  }

  @Test
  void anInterruptOfAnotherTaskIsNoCancellationOfOneThatCleansUp() throws Exception {
    List<Result<?>> seen = new ArrayList<>();
    value(
        () -> {
          Task<Object> cancelled =
              spawn(
                  () -> {
                    try {
                      return join(promise().future());
                    } finally {
                      Task<Object> interrupted = spawn(() -> { throw new InterruptedException("that of another one"); });
                      seen.add(attempt(() -> join(interrupted)));
                    }
                  });
          letOthersRun();
          cancel(cancelled);
          assertThatThrownBy(() -> join(cancelled)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(seen)
        .singleElement()
        .isInstanceOfSatisfying(
            Result.Err.class, err -> assertThat(err.error()).isInstanceOf(InterruptedException.class).hasMessage("that of another one"));
  }

  @Test
  void aTaskThatSwallowsItsCancellationIsCancelledAndToldOnlyOnce() throws Exception {
    value(
        () -> {
          Task<String> stubborn =
              spawn(
                  () -> {
                    try {
                      sleep(Duration.ofHours(1));
                    } catch (TaskCancelledException e) {
                      put("n", 1);
                      sleep(Duration.ofSeconds(1));
                    }
                    return "returned " + get("n");
                  });
          yieldNow();
          cancel(stubborn);
          assertThatThrownBy(() -> join(stubborn)).isInstanceOf(TaskCancelledException.class);
          assertThat(stubborn.state()).isEqualTo(TaskState.CANCELLED);
          return null;
        });
  }

  @Test
  void aPlainWaitIsInterruptedAndThatCountsAsCancellation() throws Exception {
    value(
        () -> {
          Semaphore semaphore = Semaphore.of(1);
          semaphore.acquire();
          List<String> order = new ArrayList<>();
          Task<Object> task =
              spawn(
                  () -> {
                    try {
                      semaphore.acquire();
                    } finally {
                      // The interrupt was all there is to be told.
                      tell("clean-up");
                      order.add("cleaned up");
                    }
                    return null;
                  });
          yieldNow();
          cancel(task);
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          assertThat(order).containsExactly("cleaned up");
          semaphore.release();
          return null;
        });
  }

  @Test
  void case118_whoIsCancelledInTheQueueTakesNothing() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore semaphore = Effects.semaphore(1);
          acquire(semaphore);
          List<Task<Object>> tasks = new ArrayList<>();
          for (String name : List.of("a", "b", "c")) {
            tasks.add(
                spawn(
                    () -> {
                      acquire(semaphore);
                      order.add(name);
                      release(semaphore);
                      return null;
                    }));
            yieldNow();
          }
          assertThat(semaphore.waiting()).isEqualTo(3);
          cancel(tasks.get(1));
          assertThatThrownBy(() -> join(tasks.get(1))).isInstanceOf(TaskCancelledException.class);
          assertThat(semaphore.waiting()).isEqualTo(2);
          release(semaphore);
          join(tasks.get(0));
          join(tasks.get(2));
          assertThat(semaphore.available()).isEqualTo(1);
          return null;
        });
    assertThat(order).containsExactly("a", "c");
  }

  @Test
  void case118_alsoWhenTheHandOverCameFirst() throws Exception {
    value(
        () -> {
          Semaphore semaphore = Effects.semaphore(1);
          acquire(semaphore);
          Task<Object> first = spawn(() -> { acquire(semaphore); return null; });
          Task<String> second = spawn(() -> { acquire(semaphore); return "second"; });
          yieldNow();
          // Nobody else has a turn between the two: the permit is first's, and goes on.
          semaphoreReleasedAndCancelled(semaphore, first);
          assertThatThrownBy(() -> join(first)).isInstanceOf(TaskCancelledException.class);
          assertThat(join(second)).isEqualTo("second");
          return null;
        });
  }

  private static void semaphoreReleasedAndCancelled(Semaphore semaphore, Task<?> task) {
    release(semaphore);
    task.cancel();
  }

  @Test
  void anInterruptOfTheCallerCancelsTheProgram() throws Exception {
    CompletableFuture<RunResult<Object>> future = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller =
        Thread.ofVirtual()
            .start(
                () ->
                    future.complete(
                        result(
                            () -> {
                              begun.countDown();
                              return join(externalPromise().future());
                            })));
    begun.await();
    caller.interrupt();
    assertThat(future.get().error()).containsInstanceOf(TaskCancelledException.class);
  }

  @Test
  void cancellingTheFutureOfARunCancelsTheProgram() throws Exception {
    CompletableFuture<String> cleanedUp = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<RunResult<Object>> future =
        runner()
            .runAsync(
                () -> {
                  begun.countDown();
                  try {
                    return join(externalPromise().future());
                  } finally {
                    cleanedUp.complete("cleaned up");
                  }
                });
    begun.await();
    future.cancel(true);
    assertThat(cleanedUp.get()).isEqualTo("cleaned up");
  }
}
