// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.DeadlockException;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The examples of the two chapters that this module is made from. */
class ChaptersTest extends OnBothEngines {

  // ---- semaphores ----

  @Test
  void case121_setup() throws Exception {
    assertThat(this.<Semaphore>value(() -> semaphore(3)).available()).isEqualTo(3);
  }

  @Test
  void case121_enterAndLeave() throws Exception {
    value(
        () -> {
          Semaphore semaphore = semaphore(1);
          acquire(semaphore);
          assertThat(semaphore.available()).isZero();
          release(semaphore);
          assertThat(semaphore.available()).isEqualTo(1);
          return null;
        });
  }

  private static <T> T withMutex(Semaphore semaphore, Program<T> update) throws Exception {
    acquire(semaphore);
    try {
      return update.run();
    } finally {
      release(semaphore);
    }
  }

  @Test
  void case121_mutex() throws Exception {
    assertThat(this.<String>value(() -> withMutex(semaphore(1), () -> "updated"))).isEqualTo("updated");
  }

  @Test
  void case121_connectionPool() throws Exception {
    int[] inside = new int[1];
    int[] most = new int[1];
    List<Integer> values =
        value(
            () -> {
              Semaphore eight = semaphore(8);
              List<Task<Integer>> tasks = new ArrayList<>();
              for (int i = 0; i < 30; i++) {
                int n = i;
                tasks.add(
                    spawn(
                        () ->
                            withMutex(
                                eight,
                                () -> {
                                  most[0] = Math.max(most[0], ++inside[0]);
                                  sleep(Duration.ofSeconds(1));
                                  inside[0]--;
                                  return n;
                                })));
              }
              return gather(tasks);
            });
    assertThat(values).hasSize(30).isSorted();
    assertThat(most[0]).isEqualTo(8);
  }

  // ---- async ----

  @Test
  void case121_runnersAndPresets() throws Exception {
    Program<Integer> program = () -> await(() -> 42);
    assertThat(Effects.run(program, Handlers.defaults()).value()).isEqualTo(42);
    assertThat(Effects.runAsync(program, Handlers.asyncDefaults()).get().value()).isEqualTo(42);
    assertThat(Effects.runAsync(program, Handlers.defaults()).get().value()).isEqualTo(42);
    assertThatThrownBy(() -> Effects.run(program, Handlers.asyncDefaults())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void case121_fetchValue() throws Exception {
    assertThat(
            this.<Integer>value(
                () ->
                    Effects.awaitStage(
                        () ->
                            CompletableFuture.supplyAsync(
                                () -> 42, CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)))))
        .isEqualTo(42);
  }

  @Test
  void case121_parentWaitsForAPromiseNobodyKeeps() {
    Throwable error =
        error(
            () -> {
              Task<Integer> task = spawn(() -> 7);
              Promise<Integer> promise = promise();
              int taskValue = join(task);
              int promiseValue = join(promise.future());
              return List.of(taskValue, promiseValue);
            });
    assertThat(error).isInstanceOf(DeadlockException.class);
  }

  private static Task<String> job(String name, int millis) {
    return spawn(
        () -> {
          sleep(Duration.ofMillis(millis));
          return name;
        });
  }

  @Test
  void case121_parallel() throws Exception {
    value(
        () -> {
          Task<String> one = job("one", 20);
          Task<String> two = job("two", 10);
          RaceResult<String> result = race(one, two);
          assertThat(result.value()).isEqualTo("two");
          assertThat(result.rest()).containsExactly(one);
          assertThat(gather(one, two)).containsExactly("one", "two");
          return null;
        });
  }

  @Test
  void case121_collectAllEvenOnErrors() throws Exception {
    List<Result<String>> results =
        value(
            () ->
                gather(
                    spawn(() -> attempt(() -> "fine")),
                    spawn(() -> Effects.<String>attempt(() -> { throw new IllegalStateException("not fine"); }))));
    assertThat(results.get(0).isOk()).isTrue();
    assertThat(results.get(1).isOk()).isFalse();
  }

  @Test
  void case121_firstResult() throws Exception {
    value(
        () -> {
          Task<String> a = job("a", 300);
          Task<String> b = job("b", 100);
          RaceResult<String> result = race(a, b);
          result.losers().forEach(Effects::cancel);
          assertThat(result.first()).isSameAs(b);
          assertThat(result.value()).isEqualTo("b");
          assertThatThrownBy(() -> join(a)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
  }

  @Test
  void case121_cancelChild() throws Exception {
    Result<String> result =
        value(
            () -> {
              Task<String> task = job("work", 100);
              task.cancel();
              return attempt(() -> join(task));
            });
    assertThat(result)
        .isInstanceOfSatisfying(Result.Err.class, err -> assertThat(err.error()).isInstanceOf(TaskCancelledException.class));
  }

  @Test
  void case121_internalSync() throws Exception {
    assertThat(this.<String>value(() -> {
          Promise<String> promise = promise();
          spawn(() -> { complete(promise, "ready"); return null; });
          return join(promise.future());
        }))
        .isEqualTo("ready");
  }
}
