// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.awaitStage;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.withPermit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.check.Check;
import dev.baton.check.Kind;
import dev.baton.check.Report;
import dev.baton.scope.Task;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Programs that perform effects, under many schedules. */
class EffectCheckTest extends OnBothEngines {

  record Ping(int n) implements Effect<Integer> {}

  private Check check(Program<?> program) {
    return runner().check(program).engine(engine).seeds(100);
  }

  @Test
  void aDeadlockBetweenEffectsIsFound() {
    Report report =
        check(
                () -> {
                  Semaphore left = semaphore(1);
                  Semaphore right = semaphore(1);
                  Task<String> one = spawn("one", () -> withPermit(left, () -> withPermit(right, () -> "one")));
                  Task<String> two = spawn("two", () -> withPermit(right, () -> withPermit(left, () -> "two")));
                  return gather(one, two);
                })
            .search();
    assertThat(report.failure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.DEADLOCK);
              assertThat(failure.toString()).contains("one", "two", "EffectCheckTest.java");
            });
  }

  @Test
  void aTaskThatKeepsAnExternalPromiseGivesUpItsTurnFirst() {
    Report report =
        check(
                () -> {
                  ExternalPromise<Integer> kept = externalPromise();
                  int[] counter = new int[1];
                  List<Task<Object>> tasks = new ArrayList<>();
                  for (int i = 0; i < 2; i++) {
                    tasks.add(
                        spawn(
                            () -> {
                              int read = counter[0];
                              kept.complete(read);
                              counter[0] = read + 1;
                              return null;
                            }));
                  }
                  gather(tasks);
                  assertThat(counter[0]).isEqualTo(2);
                  return null;
                })
            .search();
    assertThat(report.failure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION);
              assertThat(failure.toString()).contains("ExternalPromise.complete");
            });
  }

  @Test
  void aLostUpdateBetweenEffectsIsFound() {
    Report report =
        check(
                () -> {
                  int[] counter = new int[1];
                  List<Task<Object>> tasks = new ArrayList<>();
                  for (int i = 0; i < 2; i++) {
                    tasks.add(
                        spawn(
                            () -> {
                              int read = counter[0];
                              Effects.tell("between");
                              counter[0] = read + 1;
                              return null;
                            }));
                  }
                  gather(tasks);
                  assertThat(counter[0]).isEqualTo(2);
                  return null;
                })
            .search();
    assertThat(report.failure()).hasValueSatisfying(failure -> assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION));
  }

  @Test
  void noPermitIsLostWhereverATaskIsCancelled() {
    check(
            () -> {
              Semaphore one = semaphore(1);
              List<Task<Object>> tasks = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                tasks.add(
                    spawn(
                        () -> {
                          acquire(one);
                          try {
                            Effects.tell("inside");
                            sleep(Duration.ofSeconds(1));
                          } finally {
                            release(one);
                          }
                          return null;
                        }));
              }
              cancel(tasks.get(0));
              cancel(tasks.get(1));
              Effects.attempt(() -> join(tasks.get(0)));
              Effects.attempt(() -> join(tasks.get(1)));
              join(tasks.get(2));
              assertThat(one.available()).isEqualTo(1);
              return null;
            })
        .run();
  }

  @Test
  void resumableHandlersWorkUnderEverySchedule() {
    check(
            () ->
                Effects.<Integer, Ping, Object>handle(
                    Ping.class,
                    (ping, rest) -> {
                      sleep(Duration.ofSeconds(1));
                      return rest.resume(ping.n() * 2);
                    },
                    () -> {
                      List<Task<Integer>> tasks = new ArrayList<>();
                      for (int i = 0; i < 3; i++) {
                        int n = i;
                        tasks.add(spawn(() -> perform(new Ping(n)) + perform(new Ping(n))));
                      }
                      assertThat(gather(tasks)).containsExactly(0, 4, 8);
                      return null;
                    }))
        .run();
  }

  @Test
  void awaitedWorkIsPartOfTheScheduleToo() {
    check(
            () -> {
              Task<Integer> one = spawn(() -> await(() -> 1));
              Task<Integer> two = spawn(() -> await(() -> 2));
              assertThat(gather(one, two)).containsExactly(1, 2);
              return null;
            })
        .run();
  }

  @Test
  void aStageThatWasAbandonedHoldsNobodyUpEvenIfItCannotBeCancelled() {
    check(
            () -> {
              CompletionStage<Integer> endless = new CompletableFuture<Integer>().minimalCompletionStage();
              Task<Integer> abandoned = spawn(() -> awaitStage(() -> endless));
              letOthersRun();
              cancel(abandoned);
              assertThat(await(() -> 42)).isEqualTo(42);
              return null;
            })
        .run();
  }

  @Test
  void tasksThatAreLeftAreNoLeak() {
    check(
            () -> {
              spawn(() -> { sleep(Duration.ofHours(1)); return null; });
              Effects.yieldNow();
              return null;
            })
        .run();
  }
}
