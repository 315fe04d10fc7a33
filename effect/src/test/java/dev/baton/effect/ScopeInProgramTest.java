// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.pattern.Parallel;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.scope.Time;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A scope interrupts whoever is in its block to get it out of there. A task of a program that is, is not cancelled by that. */
class ScopeInProgramTest extends OnBothEngines {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LATE = Duration.ofSeconds(100);

  /** Lets {@code block} wait for longer than its scope has time. Returns what is caught around the scope. */
  private static String inAScopeThatIsShort(Program<?> block) throws Exception {
    try {
      Scope.run(
          scope -> {
            scope.deadline(SOON);
            block.run();
          });
    } catch (DeadlineExceededException late) {
      return "in time";
    }
    return "too late";
  }

  @Test
  void aProgramThatCatchesTheDeadlineOfItsScopeReturnsItsValue() throws Exception {
    RunResult<Object> result =
        result(
            () -> {
              String caught = inAScopeThatIsShort(() -> { Time.sleep(LATE); return 0; });
              sleep(SOON);
              return caught;
            });
    assertThat(result.orThrow()).isEqualTo("in time");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aDeadlineEndsEveryEffectThatWaits() throws Exception {
    Map<String, Program<?>> waits =
        Map.of(
            "sleep", () -> { sleep(LATE); return 0; },
            "join", () -> join(promise().future()),
            "join of what comes from outside", () -> join(externalPromise().future()),
            "gather", () -> Effects.gather(promise().future(), externalPromise().future()),
            "race", () -> Effects.race(promise().future(), externalPromise().future()),
            "acquire", () -> { Effects.acquire(taken()); return 0; },
            "tryAcquire", () -> Effects.tryAcquire(taken(), LATE),
            "await", () -> Effects.await(new CompletableFuture<>()));
    for (Map.Entry<String, Program<?>> wait : waits.entrySet()) {
      // In real time: virtual time stands still while somebody outside is awaited.
      RunResult<List<Object>> result =
          Runner.create()
              .engine(engine)
              .run(
                  () -> {
                    Task<String> task = spawn(() -> inAScopeThatIsShort(wait.getValue()));
                    return List.of(join(task), task.state());
                  });
      assertThat(result.orThrow())
          .as(wait.getKey())
          .isEqualTo(List.of("in time", TaskState.COMPLETED));
    }
  }

  private static Semaphore taken() {
    Semaphore semaphore = Effects.semaphore(1);
    Effects.acquire(semaphore);
    return semaphore;
  }

  @Test
  void aDeadlineThatHasPassedBeforeTheWaitEndsItToo() throws Exception {
    assertThat(this.<String>value(() -> {
          Semaphore gate = Semaphore.of(1);
          gate.acquire();
          spawn(() -> { sleep(Duration.ofSeconds(1)); gate.release(); return 0; });
          return inAScopeThatIsShort(
              () -> {
                gate.acquireUninterruptibly();
                sleep(LATE);
                return 0;
              });
        }))
        .isEqualTo("in time");
  }

  @Test
  void aFailureOfAForkIsCaughtAndNothingElseIsLeftOfIt() throws Exception {
    List<String> caught = new ArrayList<>();
    value(
        () -> {
          Task<Object> task =
              spawn(
                  () -> {
                    try {
                      Scope.run(
                          scope -> {
                            scope.fork(() -> { throw new IllegalStateException("fork"); });
                            sleep(LATE);
                          });
                    } catch (IllegalStateException failed) {
                      caught.add(failed.getMessage());
                    }
                    try {
                      Parallel.map(List.of(1, 2, 3), 2, i -> {
                        if (i == 2) {
                          throw new IllegalStateException("map");
                        }
                        Time.sleep(SOON);
                        return i;
                      });
                    } catch (IllegalStateException failed) {
                      caught.add(failed.getMessage());
                    }
                    sleep(SOON);
                    return null;
                  });
          join(task);
          assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
          return null;
        });
    assertThat(caught).containsExactly("fork", "map");
  }

  @Test
  void aTaskThatAScopeHasInterruptedCanBeCancelledLater() throws Exception {
    List<String> course = new ArrayList<>();
    value(
        () -> {
          Task<Object> task =
              spawn(
                  () -> {
                    course.add(inAScopeThatIsShort(() -> { sleep(LATE); return 0; }));
                    try {
                      sleep(LATE);
                      return null;
                    } catch (TaskCancelledException cancelled) {
                      course.add("cancelled");
                      throw cancelled;
                    }
                  });
          sleep(Duration.ofSeconds(1));
          assertThat(task.cancel()).isTrue();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          return null;
        });
    assertThat(course).containsExactly("in time", "cancelled");
  }

  @Test
  void aCancellationThatComesWithTheDeadlineIsNotTakenAwayByTheScope() throws Exception {
    List<String> course = new ArrayList<>();
    value(
        () -> {
          Semaphore gate = Semaphore.of(1);
          gate.acquire();
          Task<Object> task =
              spawn(
                  () -> {
                    course.add(inAScopeThatIsShort(() -> { gate.acquireUninterruptibly(); return 0; }));
                    try {
                      now();
                    } catch (TaskCancelledException cancelled) {
                      course.add("cancelled");
                    }
                    sleep(SOON);
                    course.add("cleaned up");
                    return null;
                  });
          sleep(Duration.ofSeconds(1));
          cancel(task);
          gate.release();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(course).containsExactly("in time", "cancelled", "cleaned up");
  }

  @Test
  void aCancelledTaskThatCleansUpMayUseAScopeWithADeadline() throws Exception {
    List<String> course = new ArrayList<>();
    value(
        () -> {
          Task<Object> task =
              spawn(
                  () -> {
                    try {
                      return join(promise().future());
                    } finally {
                      course.add(inAScopeThatIsShort(() -> { sleep(LATE); return 0; }));
                      sleep(SOON);
                      course.add("slept");
                    }
                  });
          sleep(SOON);
          cancel(task);
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(course).containsExactly("in time", "slept");
  }

  @Test
  void aRunInsideOfTheBlockIsCancelledAndTheTaskAroundIsNot() throws Exception {
    List<Object> inside = new ArrayList<>();
    assertThat(this.<String>value(() -> inAScopeThatIsShort(() -> {
          inside.add(Effects.run(() -> { sleep(LATE); return 0; }).error().orElseThrow().getClass());
          sleep(LATE);
          return 0;
        })))
        .isEqualTo("in time");
    assertThat(inside).containsExactly(TaskCancelledException.class);
  }

  @Test
  void aScopeOfATaskThatIsNoneOfAProgramCancelsTheRunInside() throws Exception {
    assertThat(
            dev.baton.runtime.Cooperative.create()
                .engine(engine)
                .clock(dev.baton.runtime.Clock.virtual())
                .run(
                    () ->
                        inAScopeThatIsShort(
                            () -> {
                              Throwable error = Effects.run(() -> { sleep(LATE); return 0; }).error().orElseThrow();
                              assertThat(error).isInstanceOf(TaskCancelledException.class);
                              Time.sleep(LATE);
                              return 0;
                            })))
        .isEqualTo("in time");
  }

  @Test
  void aTimeoutInABlockThatIsLeftHasCleanedUpAndARetryDoesNotTryAgain() throws Exception {
    List<String> course = new ArrayList<>();
    assertThat(this.<String>value(() -> inAScopeThatIsShort(() -> Retry.attempts(3).run(() -> {
          course.add("tried");
          return Timeout.after(Duration.ofHours(1))
              .run(
                  () -> {
                    try {
                      return join(promise().future());
                    } finally {
                      sleep(Duration.ofSeconds(1));
                      course.add("cleaned up");
                    }
                  });
        }))))
        .isEqualTo("in time");
    assertThat(course).containsExactly("tried", "cleaned up");
  }
}
