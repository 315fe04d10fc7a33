// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** While a resumable handler works, it is what an interrupt of its task is for: the program only waits for it. */
class InterruptedHandlerTest extends OnBothEngines {
  private static final Duration LATE = Duration.ofHours(1);

  private record Question() implements Effect<Integer> {}

  private interface Wait {
    void begin() throws Exception;
  }

  private Runner inRealTime() {
    return Runner.create().engine(engine);
  }

  /** Performs an effect whose handler waits, and says first that it is about to. */
  private static Integer asked(Runnable begins, Wait wait) {
    return Effects.<Integer, Question, Integer>handle(
        Question.class,
        (question, rest) -> {
          begins.run();
          wait.begin();
          return rest.resume(1);
        },
        () -> perform(new Question()));
  }

  @Test
  void anInterruptOfTheCallerReachesTheHandler() throws Exception {
    List<Wait> waits =
        List.of(
            () -> sleep(LATE),
            () -> join(externalPromise().future()),
            () -> join(promise().future()),
            () -> Time.sleep(LATE));
    for (Wait wait : waits) {
      CountDownLatch begun = new CountDownLatch(1);
      Thread caller = Thread.currentThread();
      Thread interrupter =
          Thread.startVirtualThread(
              () -> {
                try {
                  begun.await();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                caller.interrupt();
              });
      RunResult<Object> result =
          inRealTime()
              .run(
                  () -> {
                    // Somebody who can go on, so that the wait for a promise is no deadlock before the interrupt has come.
                    spawn(() -> { sleep(LATE); return 0; });
                    return asked(begun::countDown, wait);
                  });
      assertThat(result.error()).containsInstanceOf(TaskCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      interrupter.join();
    }
  }

  @Test
  void cancellingTheFutureOfARunReachesTheHandler() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cleaned = new CountDownLatch(1);
    CompletableFuture<RunResult<Object>> future =
        inRealTime()
            .runAsync(
                () -> {
                  try {
                    return asked(begun::countDown, () -> sleep(LATE));
                  } finally {
                    cleaned.countDown();
                  }
                });
    begun.await();
    future.cancel(true);
    cleaned.await();
  }

  @Test
  void cancellingATaskReachesTheHandlersOfARunInside() throws Exception {
    List<Object> ended = new ArrayList<>();
    value(
        () -> {
          Program<Integer> inner = () -> asked(() -> {}, () -> join(promise().future()));
          List<Task<Object>> tasks =
              List.of(
                  spawn(() -> { ended.add(Effects.run(inner).error().orElseThrow().getClass()); return 0; }),
                  spawn(
                      () ->
                          asked(() -> {}, () -> ended.add(Effects.run(inner).error().orElseThrow().getClass()))));
          sleep(Duration.ofSeconds(1));
          for (Task<Object> task : tasks) {
            cancel(task);
            assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          }
          return null;
        });
    assertThat(ended).containsExactly(TaskCancelledException.class, TaskCancelledException.class);
  }

  @Test
  void theDeadlineOfAScopeAroundTheProgramReachesTheHandler() throws Exception {
    assertThat(this.<Object>value(() -> Effects.<Integer, Question, Object>handle(
            Question.class,
            (question, rest) -> {
              Time.sleep(LATE);
              return rest.resume(1);
            },
            () -> {
              try {
                return Scope.call(scope -> { scope.deadline(Duration.ofSeconds(1)); return perform(new Question()); });
              } catch (DeadlineExceededException late) {
                return "in time";
              }
            })))
        .isEqualTo("in time");
  }

  @Test
  void theDeadlineOfAScopeAroundTheResumptionReachesTheProgram() throws Exception {
    assertThat(this.<Object>value(() -> Effects.<Integer, Question, Object>handle(
            Question.class,
            (question, rest) -> {
              try {
                return Scope.call(scope -> { scope.deadline(Duration.ofSeconds(1)); return rest.resume(1); });
              } catch (DeadlineExceededException late) {
                return "in time";
              }
            },
            () -> {
              int answer = perform(new Question());
              sleep(LATE);
              return answer;
            })))
        .isEqualTo("in time");
  }

  @Test
  void anInterruptOfTheThreadThatWaitsForTheHandlerIsPassedOn() throws Exception {
    AtomicReference<Thread> program = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread interrupter =
        Thread.startVirtualThread(
            () -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              program.get().interrupt();
            });
    RunResult<Object> result =
        inRealTime()
            .run(
                () -> {
                  program.set(Thread.currentThread());
                  return asked(begun::countDown, () -> join(externalPromise().future()));
                });
    assertThat(result.error()).containsInstanceOf(TaskCancelledException.class);
    interrupter.join();
    Thread.interrupted();
  }
}
