// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.scope.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many tasks at once, and many one after the other. With {@code -Dbaton.verify=long}, as many as are promised. */
class ScaleTest extends OnBothEngines {
  private static final boolean LONG = "long".equals(System.getProperty("baton.verify"));
  private static final int CYCLES = LONG ? 1_000_000 : 60_000;

  /** Less than any object that a cycle could leave behind would take; more than the noise of a heap. */
  private static final long NOTHING = 32L * CYCLES;

  @Test
  void case16_aHundredThousandTasksAreGatheredInOrder() throws Exception {
    int tasks = 100_000;
    List<Integer> values =
        value(
            () -> {
              List<Task<Integer>> all = new ArrayList<>(tasks);
              for (int i = 0; i < tasks; i++) {
                int n = i;
                all.add(spawn(() -> n));
              }
              return gather(all);
            });
    assertThat(values).hasSize(tasks);
    for (int i = 0; i < tasks; i++) {
      assertThat(values.get(i)).isEqualTo(i);
    }
  }

  @Test
  void manyTasksThatAllWaitAreLetGoTogether() throws Exception {
    int tasks = LONG ? 100_000 : 20_000;
    long sum =
        value(
            () -> {
              Promise<Integer> gate = promise();
              List<Task<Integer>> all = new ArrayList<>(tasks);
              for (int i = 0; i < tasks; i++) {
                all.add(spawn(() -> join(gate.future())));
              }
              complete(gate, 1);
              return gather(all).stream().mapToLong(n -> n).sum();
            });
    assertThat(sum).isEqualTo(tasks);
  }

  @Test
  void spawningAndWaitingLeavesNothingBehind() throws Exception {
    assertThat(growth(() -> join(spawn(() -> 1)))).isLessThan(NOTHING);
  }

  @Test
  void promisesLeaveNothingBehind() throws Exception {
    assertThat(
            growth(
                () -> {
                  Promise<Integer> promise = promise();
                  complete(promise, 1);
                  return join(promise.future());
                }))
        .isLessThan(NOTHING);
  }

  @Test
  void waitingForAPromiseAmongOthersLeavesNothingWithTheOthers() throws Exception {
    assertThat(
            this.<Long>value(
                () -> {
                  Promise<Integer> never = promise();
                  return growthInRun(
                      () -> {
                        Promise<Integer> promise = promise();
                        Task<Integer> racer = spawn(() -> race(never.future(), promise.future()).value());
                        yieldNow();
                        complete(promise, 1);
                        return join(racer);
                      });
                }))
        .isLessThan(NOTHING);
  }

  private long growth(Program<Integer> cycle) throws Exception {
    return this.<Long>value(() -> growthInRun(cycle));
  }

  /** By how much the heap has grown over many cycles, in one run. */
  private long growthInRun(Program<Integer> cycle) throws Exception {
    cycles(cycle, 10_000);
    long before = Heap.used();
    cycles(cycle, CYCLES);
    return Heap.used() - before;
  }

  private static void cycles(Program<Integer> cycle, int n) throws Exception {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += cycle.run();
    }
    assertThat(sum).isEqualTo(n);
  }
}
