// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.observe;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Priority;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Starting tasks, waiting for them, and the order in which they run. */
class SpawnTest extends OnBothEngines {

  record Where() implements Effect<String> {}

  @Test
  void case1_spawnGivesATaskAndWaitItsValue() throws Exception {
    int value =
        value(
            () -> {
              Task<Integer> task = spawn(() -> 42);
              assertThat(task.state()).isEqualTo(TaskState.PENDING);
              return join(task);
            });
    assertThat(value).isEqualTo(42);
  }

  @Test
  void case2_waitsInEitherOrder() throws Exception {
    assertThat(this.<Integer>value(() -> {
          Task<Integer> a = spawn(() -> 10);
          Task<Integer> b = spawn(() -> 20);
          return Effects.<Integer>join(b) + Effects.<Integer>join(a);
        }))
        .isEqualTo(30);
    assertThat(this.<Integer>value(() -> {
          Task<Integer> a = spawn(() -> 10);
          Task<Integer> b = spawn(() -> 20);
          return Effects.<Integer>join(a) + Effects.<Integer>join(b);
        }))
        .isEqualTo(30);
  }

  @Test
  void case3_aFinishedTaskGivesItsValueAgainAndAgain() throws Exception {
    assertThat(this.<List<Integer>>value(() -> {
          Task<Integer> task = spawn(() -> 7);
          return List.of(join(task), join(task), join(task));
        }))
        .containsExactly(7, 7, 7);
  }

  @Test
  void case4_eachWaitForAFailedTaskThrowsItsError() throws Exception {
    value(
        () -> {
          Task<Integer> task = spawn(() -> { throw new IllegalArgumentException("boom"); });
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> join(task)).isInstanceOf(IllegalArgumentException.class).hasMessage("boom");
          }
          Task<Integer> checked = spawn(() -> { throw new IOException("disk"); });
          assertThatThrownBy(() -> join(checked)).isInstanceOf(IOException.class).hasMessage("disk");
          return null;
        });
  }

  @Test
  void case5_aFailureThatSomebodyHasLookedAtIsNotListed() {
    Program<String> program =
        () -> {
          Task<Integer> task = spawn(() -> { throw new IllegalStateException("looked at"); });
          yieldNow();
          return task.outcome().orElseThrow().toString();
        };
    RunResult<String> result = result(program);
    assertThat(result.value()).contains("looked at");
    assertThat(result.unobservedFailures()).isEmpty();
  }

  @Test
  void case5_aFailureNobodyWaitsForIsListed() {
    RunResult<String> result =
        result(
            () -> {
              spawn("careless", () -> { throw new IllegalStateException("unseen"); });
              Task<Integer> seen = spawn(() -> { throw new IllegalStateException("seen"); });
              assertThatThrownBy(() -> join(seen)).hasMessage("seen");
              yieldNow();
              return "fine";
            });
    assertThat(result.value()).isEqualTo("fine");
    assertThat(result.unobservedFailures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.task()).isEqualTo("careless");
              assertThat(failure.error()).hasMessage("unseen");
            });
  }

  @Test
  void case6_grandchildren() throws Exception {
    assertThat(this.<Integer>value(() -> {
          Task<Integer> child =
              spawn(
                  () -> {
                    Task<Integer> a = spawn(() -> 50);
                    Task<Integer> b = spawn(() -> 60);
                    return Effects.<Integer>join(a) + Effects.<Integer>join(b);
                  });
          return join(child);
        }))
        .isEqualTo(110);
  }

  @Test
  void case8_tasksOfOnePriorityRunInTheOrderOfTheirSpawns() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          List<Task<Boolean>> tasks = new ArrayList<>();
          for (String name : List.of("a", "b", "c")) {
            tasks.add(spawn(() -> order.add(name)));
          }
          return gather(tasks);
        });
    assertThat(order).containsExactly("a", "b", "c");
  }

  @Test
  void case9_aHigherPriorityRunsFirstAndGatherKeepsItsOrder() throws Exception {
    List<String> order = new ArrayList<>();
    List<String> values =
        value(
            () -> {
              Task<String> low = spawn(() -> { order.add("low"); return "low"; }, Priority.IDLE);
              Task<String> high = spawn(() -> { order.add("high"); return "high"; }, Priority.HIGH);
              return gather(low, high);
            });
    assertThat(order).containsExactly("high", "low");
    assertThat(values).containsExactly("low", "high");
  }

  @Test
  void case10_theSpawnerGoesOnBeforeAnEqualChildBegins() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Task<Boolean> child = spawn(() -> order.add("child"));
          order.add("spawner");
          return join(child);
        });
    assertThat(order).containsExactly("spawner", "child");
  }

  @Test
  void case11_aHigherChildFinishesBeforeItsSpawnerGoesOn() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () ->
            join(
                spawn(
                    () -> {
                      spawn(() -> { yieldNow(); order.add("child"); return null; }, Priority.NORMAL);
                      order.add("spawner");
                      return null;
                    },
                    Priority.IDLE)));
    assertThat(order).containsExactly("child", "spawner");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void case15_whatCannotBeWaitedForIsRefusedWhereItIsPassed() throws Exception {
    Program<Integer> program = () -> 1;
    value(
        () -> {
          for (Object wrong : new Object[] {program, 42, "text"}) {
            List<Object> hidden = List.of(wrong);
            assertThatThrownBy(() -> gather((List) hidden))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong.getClass().getName());
            assertThatThrownBy(() -> race((List) hidden))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong.getClass().getName());
          }
          assertThatThrownBy(() -> join(null)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("null");
          assertThatThrownBy(() -> gather((Waitable<Integer>) null))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("null");
          return null;
        });
  }

  @Test
  void case16_manyChildrenInOrder() throws Exception {
    for (int n : new int[] {100, 10_000}) {
      List<Integer> values =
          value(
              () -> {
                List<Task<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                  int index = i;
                  tasks.add(spawn(() -> index));
                }
                return gather(tasks);
              });
      assertThat(values).isEqualTo(IntStream.range(0, n).boxed().toList());
    }
  }

  @Test
  void case18_aHandleStaysReadable() throws Exception {
    assertThat(this.<String>value(() -> {
          Task<String> kept = spawn(() -> "kept");
          for (int i = 0; i < 1_200; i++) {
            join(spawn(() -> 1));
          }
          return join(kept);
        }))
        .isEqualTo("kept");
  }

  @Test
  void case19_handlesOfAnotherRunAreRefused() throws Exception {
    AtomicReference<Task<Integer>> task = new AtomicReference<>();
    AtomicReference<Promise<Integer>> foreign = new AtomicReference<>();
    AtomicReference<Semaphore> semaphore = new AtomicReference<>();
    value(
        () -> {
          task.set(spawn(() -> 1));
          join(task.get());
          foreign.set(promise());
          semaphore.set(Effects.semaphore(1));
          return null;
        });
    value(
        () -> {
          assertThatThrownBy(() -> join(task.get())).isInstanceOf(ForeignHandleException.class);
          assertThatThrownBy(() -> gather(task.get())).isInstanceOf(ForeignHandleException.class);
          assertThatThrownBy(() -> race(task.get())).isInstanceOf(ForeignHandleException.class);
          assertThatThrownBy(() -> Effects.cancel(task.get())).isInstanceOf(ForeignHandleException.class);
          assertThatThrownBy(() -> join(foreign.get().future())).isInstanceOf(ForeignHandleException.class);
          assertThatThrownBy(() -> complete(foreign.get(), 1)).isInstanceOf(ForeignHandleException.class);
          return Effects.withPermit(semaphore.get(), () -> "a semaphore may be shared");
        });
    assertThat(task.get().await()).isEqualTo(1);
  }

  @Test
  void case20_waitForSpawnIsTheProgramButForItsWrites() throws Exception {
    RunResult<String> result =
        runner()
            .state(java.util.Map.of("n", 1))
            .run(
                () -> {
                  tell("before");
                  String seen =
                      join(
                          spawn(
                              () -> {
                                int n = Effects.<Integer>get("n");
                                put("n", 2);
                                tell("in the child");
                                return "saw " + n + ", has " + get("n");
                              }));
                  assertThatThrownBy(() -> join(spawn(() -> { throw new IOException("same"); }))).hasMessage("same");
                  return seen + ", kept " + get("n");
                });
    assertThat(result.value()).isEqualTo("saw 1, has 2, kept 1");
    assertThat(result.state()).containsEntry("n", 1);
    assertThat(result.messages()).containsExactly("before");
  }

  @Test
  void case22_writesWithoutAnEffectBetweenAreNeverSeenHalfDone() throws Exception {
    int[] pair = new int[2];
    List<String> seen = new ArrayList<>();
    value(
        () -> {
          Task<Object> writer =
              spawn(
                  () -> {
                    for (int i = 1; i <= 5; i++) {
                      pair[0] = i;
                      pair[1] = i;
                      yieldNow();
                    }
                    pair[0] = 6;
                    tell("between");
                    pair[1] = 6;
                    return null;
                  });
          while (!writer.state().isDone()) {
            seen.add(pair[0] == pair[1] ? "whole" : "half " + pair[0]);
            yieldNow();
          }
          return null;
        });
    assertThat(seen).contains("whole", "half 6").doesNotContain("half 1", "half 2", "half 3", "half 4", "half 5");
  }

  @Test
  void case23_spawnedTasksInheritHandlersAndObserversInTheirPlaces() throws Exception {
    List<String> inner = new ArrayList<>();
    List<String> outer = new ArrayList<>();
    String answer =
        value(
            () ->
                observe(
                    effect -> outer.add(effect.getClass().getSimpleName()),
                    () ->
                        handle(
                            Handlers.of(Where.class, where -> "answered in " + Effects.<String>ask("place")),
                            () ->
                                Effects.local(
                                    java.util.Map.of("place", "a handler"),
                                    () ->
                                        observe(
                                            effect -> inner.add(effect.getClass().getSimpleName()),
                                            () -> join(spawn(() -> join(spawn(() -> perform(new Where()))))))))));
    assertThat(answer).isEqualTo("answered in a handler");
    assertThat(inner).contains("Where").doesNotContain("Ask");
    assertThat(outer).contains("Where", "Ask");
  }

  @Test
  void aProgramOutsideOfARunIsRefused() {
    assertThatThrownBy(() -> spawn(() -> 1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("Effects.run");
  }
}
