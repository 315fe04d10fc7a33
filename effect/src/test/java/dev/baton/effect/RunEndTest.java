// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.DeadlockException;
import dev.baton.runtime.Policy;
import dev.baton.runtime.Priority;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Deadlocks, what is left when the program has returned, states, and turns. */
class RunEndTest extends OnBothEngines {

  @Test
  void case85_aPromiseNobodyKeeps() {
    assertThat(error(() -> join(promise().future())))
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("main")
        .hasMessageContaining("Promise 1");
  }

  @Test
  void case85_promisesThatAreWaitedForTogetherAreNamed() {
    assertThat(
            error(
                () -> {
                  Promise<Object> one = promise();
                  Promise<Object> other = promise();
                  Task<Object> task = spawn("third", () -> join(other.future()));
                  return gather(one.future(), other.future(), task);
                }))
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("main waits for Gather 1 at RunEndTest.java:")
        .hasMessageContaining("until third ends")
        .hasMessageContaining("third waits for Promise 2")
        .hasMessageContaining("Gather 1: waits for Promise 1, Promise 2");
    assertThat(
            error(
                () -> {
                  List<Waitable<Object>> many = new ArrayList<>();
                  for (int i = 0; i < 12; i++) {
                    many.add(Effects.<Object>promise().future());
                  }
                  return race(many);
                }))
        .hasMessageContaining("main waits for Race 1 at RunEndTest.java:")
        .hasMessageContaining("Promise 10 and 2 more");
  }

  @Test
  void case85_aTaskThatWaitsForItself() {
    assertThat(
            error(
                () -> {
                  List<Task<Object>> self = new ArrayList<>();
                  self.add(spawn("narcissus", () -> join(self.getFirst())));
                  return join(self.getFirst());
                }))
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("narcissus");
  }

  @Test
  void case85_twoTasksThatWaitForEachOther() {
    assertThat(
            error(
                () -> {
                  List<Task<Object>> both = new ArrayList<>();
                  Promise<Object> bothThere = promise();
                  both.add(spawn("one", () -> { join(bothThere.future()); return join(both.get(1)); }));
                  both.add(spawn("two", () -> { join(bothThere.future()); return join(both.get(0)); }));
                  Effects.complete(bothThere, "there");
                  return gather(both);
                }))
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("one")
        .hasMessageContaining("two");
  }

  @Test
  void case87_whoeverIsLeftIsCancelledAndCleansUp() {
    List<String> order = new ArrayList<>();
    AtomicBoolean began = new AtomicBoolean();
    RunResult<String> result =
        result(
            () -> {
              Semaphore one = semaphore(1);
              acquire(one);
              spawn(
                  "parked",
                  () -> {
                    try {
                      return join(promise().future());
                    } finally {
                      tell("clean-up");
                      sleep(Duration.ofSeconds(1));
                      order.add("parked");
                    }
                  });
              spawn(
                  "queued",
                  () -> {
                    try {
                      acquire(one);
                    } finally {
                      order.add("queued");
                    }
                    return null;
                  });
              yieldNow();
              yieldNow();
              spawn("unstarted", () -> { began.set(true); return null; });
              return "value";
            });
    assertThat(result.value()).isEqualTo("value");
    assertThat(began).isFalse();
    assertThat(order).containsExactlyInAnyOrder("parked", "queued");
    assertThat(result.leftOver())
        .containsExactly(
            new LeftOver("parked", TaskState.BLOCKED),
            new LeftOver("queued", TaskState.BLOCKED),
            new LeftOver("unstarted", TaskState.PENDING));
    assertThat(result.stuck()).isEmpty();
  }

  @Test
  void cleanUpThatBlocksForEverIsADeadlockAndTheResultStands() {
    RunResult<String> result =
        result(
            () -> {
              spawn(
                  "stuck",
                  () -> {
                    try {
                      return join(promise().future());
                    } finally {
                      join(promise().future());
                    }
                  });
              yieldNow();
              return "value";
            });
    assertThat(result.value()).isEqualTo("value");
    assertThat(result.stuck()).hasValueSatisfying(deadlock -> assertThat(deadlock).hasMessageContaining("stuck"));
  }

  /** Of a program that returns while a task of it waits, which then does {@code cleanUp}. */
  private RunResult<String> resultOfLeaving(Program<?> cleanUp) {
    return result(
        () -> {
          spawn(
              "left",
              () -> {
                try {
                  return join(promise().future());
                } finally {
                  cleanUp.run();
                }
              });
          letOthersRun();
          return "value";
        });
  }

  @Test
  void case48_cleanUpOfATaskThatIsLeftMaySpawn() {
    List<Object> seen = new ArrayList<>();
    RunResult<String> result =
        resultOfLeaving(
            () -> {
              seen.add(join(spawn(() -> join(spawn(() -> { sleep(Duration.ofSeconds(1)); return "grandchild"; })))));
              return seen.add(Timeout.after(Duration.ofSeconds(1)).run(() -> "in time"));
            });
    assertThat(result.value()).isEqualTo("value");
    assertThat(seen).containsExactly("grandchild", "in time");
    assertThat(result.leftOver()).containsExactly(new LeftOver("left", TaskState.BLOCKED));
    assertThat(result.unobservedFailures()).isEmpty();
    assertThat(result.stuck()).isEmpty();
  }

  @Test
  void whoeverIsLeftByCleanUpIsCancelledInItsTurn() {
    List<String> order = new ArrayList<>();
    RunResult<String> result =
        resultOfLeaving(
            () -> {
              spawn("ticker", () -> ticking(order));
              sleep(Duration.ofSeconds(3));
              return order.add("left");
            });
    assertThat(result.value()).isEqualTo("value");
    assertThat(order).containsExactly("tick", "tick", "left", "ticker");
    assertThat(result.leftOver()).containsExactly(new LeftOver("left", TaskState.BLOCKED));
    assertThat(result.stuck()).isEmpty();
  }

  private static Object ticking(List<String> order) {
    try {
      while (true) {
        sleep(Duration.ofMillis(1_400));
        order.add("tick");
      }
    } finally {
      order.add("ticker");
    }
  }

  private static void spawnForEver() {
    while (true) {
      spawn(() -> null);
    }
  }

  @Test
  void cleanUpThatSpawnsForEverEndsAllTheSame() {
    Program<Object> oneAfterTheOther =
        new Program<>() {
          @Override
          public Object run() {
            try {
              return join(promise().future());
            } finally {
              spawn(this);
              yieldNow();
              yieldNow();
            }
          }
        };
    Program<Object> allAtOnce =
        () -> {
          try {
            return join(promise().future());
          } finally {
            spawnForEver();
          }
        };
    for (Program<Object> endless : List.of(oneAfterTheOther, allAtOnce)) {
      RunResult<String> result =
          result(
              () -> {
                spawn("endless", endless);
                yieldNow();
                return "value";
              });
      assertThat(result.value()).isEqualTo("value");
      assertThat(result.unobservedFailures())
          .singleElement()
          .satisfies(failure -> assertThat(failure.error()).isInstanceOf(IllegalStateException.class).hasMessageContaining("clean-up"));
    }
  }

  @Test
  void case88_aRunThatIsAwaitedWhollyIsSilent() {
    RunResult<List<Integer>> result = result(() -> gather(spawn(() -> 1), spawn(() -> 2)));
    assertThat(result.leftOver()).isEmpty();
    assertThat(result.unobservedFailures()).isEmpty();
    assertThat(result.stuck()).isEmpty();
  }

  @Test
  void nothingGrowsOverAMillionTasksAndPromises() throws Exception {
    long grown =
        this.<Long>value(
            () -> {
              cycles(50_000);
              long before = Heap.used();
              cycles(1_000_000);
              return Heap.used() - before;
            });
    assertThat(grown).isLessThan(20_000_000);
  }

  private static void cycles(int n) {
    for (int i = 0; i < n; i++) {
      Promise<Integer> promise = promise();
      Task<Object> task =
          spawn(
              () -> {
                Effects.complete(promise, 1);
                return null;
              });
      join(promise.future());
      join(task);
    }
  }

  @Test
  void case89_anErrorOfTheMachineEndsTheRunAndCannotBeSwallowed() {
    AtomicBoolean swallowed = new AtomicBoolean();
    Throwable error =
        error(
            () -> {
              Task<Object> broken = spawn(() -> { throw new InternalError("broken"); });
              attempt(() -> join(broken));
              swallowed.set(true);
              return "as if nothing had happened";
            });
    assertThat(error).isInstanceOf(InternalError.class).hasMessage("broken");
    assertThat(swallowed).isFalse();
    assertThat(error(() -> attempt(() -> { throw new InternalError("in the attempt"); }))).hasMessage("in the attempt");
  }

  @Test
  void case89_anErrorOfTheMachineInAResumableHandlerCannotBeSwallowedEither() {
    record Ping() implements Effect<Integer> {}

    for (boolean resumes : new boolean[] {true, false}) {
      Program<Object> program =
          () -> {
            try {
              return Effects.<Integer, Ping, Object>handle(
                  Ping.class,
                  (ping, rest) -> {
                    if (resumes) {
                      rest.resume(1);
                    }
                    throw new InternalError("in the handler");
                  },
                  () -> Effects.perform(new Ping()));
            } catch (InternalError swallowed) {
              return "as if nothing had happened";
            }
          };
      assertThat(error(program)).isInstanceOf(InternalError.class).hasMessage("in the handler");
    }
  }

  @Test
  void case89_aStackOverflowIsAnErrorAsAnyOther() {
    assertThat(
            this.<Boolean>result(() -> attempt(() -> join(spawn(() -> { throw new StackOverflowError(); }))).isOk()).value())
        .isFalse();
  }

  @Test
  void case117_allStates() throws Exception {
    Set<TaskState> seen = new TreeSet<>();
    value(
        () -> {
          List<Task<Object>> self = new ArrayList<>();
          Promise<Object> gate = promise();
          self.add(
              spawn(
                  () -> {
                    seen.add(self.getFirst().state());
                    yieldNow();
                    return join(gate.future());
                  }));
          Task<Object> task = self.getFirst();
          assertThat(task.state()).isEqualTo(TaskState.PENDING);
          seen.add(task.state());
          yieldNow();
          assertThat(task.state()).isEqualTo(TaskState.SUSPENDED);
          seen.add(task.state());
          yieldNow();
          assertThat(task.state()).isEqualTo(TaskState.SUSPENDED);
          yieldNow();
          assertThat(task.state()).isEqualTo(TaskState.BLOCKED);
          seen.add(task.state());
          Effects.complete(gate, "open");
          join(task);
          Task<Object> failed = spawn(() -> { throw new IllegalStateException(); });
          Task<Object> cancelled = spawn(() -> join(promise().future()));
          yieldNow();
          cancelled.cancel();
          attempt(() -> join(cancelled));
          for (Task<Object> done : List.of(task, failed, cancelled)) {
            TaskState before = done.state();
            seen.add(before);
            assertThat(done.cancel()).isFalse();
            assertThat(done.state()).isEqualTo(before);
          }
          return null;
        });
    assertThat(seen).containsExactlyInAnyOrder(TaskState.values());
  }

  @Test
  void case122_aLongLoopOfEffectsKeepsNobodyOut() throws Exception {
    List<Integer> counts = new ArrayList<>();
    value(
        () -> {
          Task<Object> loop =
              spawn(
                  () -> {
                    Effects.put("n", 0);
                    for (int i = 0; i < 1_000; i++) {
                      Effects.<Integer>modify("n", n -> n + 1);
                    }
                    return null;
                  });
          int turns = 0;
          while (!loop.state().isDone()) {
            tell("a turn");
            turns++;
          }
          counts.add(turns);
          return null;
        });
    assertThat(counts.getFirst()).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void case122_yieldNowGivesUpTheTurnWhateverThePolicy() throws Exception {
    List<String> order = new ArrayList<>();
    runner()
        .policy(Policy.runToBlock())
        .run(
            () -> {
              Task<Boolean> other = spawn(() -> order.add("other"));
              tell("an effect keeps the turn");
              order.add("after the effect");
              yieldNow();
              order.add("after the yield");
              return join(other);
            })
        .orThrow();
    assertThat(order).containsExactly("after the effect", "other", "after the yield");
  }

  @Test
  void aSeedGivesOneOrder() throws Exception {
    assertThat(order(7)).isEqualTo(order(7));
    Set<List<String>> orders = new java.util.HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      orders.add(order(seed));
    }
    assertThat(orders).hasSizeGreaterThan(3);
  }

  private List<String> order(long seed) throws Exception {
    List<String> order = new ArrayList<>();
    runner()
        .policy(Policy.seeded(seed))
        .run(
            () -> {
              List<Task<Object>> tasks = new ArrayList<>();
              for (String name : List.of("a", "b", "c")) {
                tasks.add(
                    spawn(
                        () -> {
                          for (int i = 0; i < 3; i++) {
                            order.add(name + i);
                            tell(name);
                          }
                          return null;
                        }));
              }
              return gather(tasks);
            })
        .orThrow();
    return order;
  }

  @Test
  void case63_whatARunInsideHasMadeHasEndedWhenTheOutermostRunIsEnded() {
    AtomicReference<Task<Integer>> begun = new AtomicReference<>();
    AtomicReference<Task<Integer>> notBegun = new AtomicReference<>();
    AtomicReference<ExternalPromise<Integer>> external = new AtomicReference<>();
    Program<Object> inside =
        () -> {
          external.set(externalPromise());
          begun.set(spawn(() -> join(Effects.<Integer>promise().future())));
          letOthersRun();
          notBegun.set(spawn(() -> 1, Priority.IDLE));
          throw new OutOfMemoryError("made up");
        };
    assertThat(error(() -> Effects.run(inside))).isInstanceOf(OutOfMemoryError.class);
    assertThat(external.get().complete(1)).isFalse();
    assertThat(begun.get().state()).isEqualTo(TaskState.CANCELLED);
    // Or a thread outside would wait for it for ever.
    assertThat(notBegun.get().state()).isEqualTo(TaskState.CANCELLED);
    assertThat(notBegun.get().outcome().orElseThrow().isOk()).isFalse();
  }
}
