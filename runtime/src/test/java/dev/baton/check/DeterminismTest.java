// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Cooperative;
import dev.baton.runtime.DeadlockException;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Same program, same seed, no outside input: the same trace, step for step, on either engine. */
class DeterminismTest {
  private static final int PROGRAMS = Integer.getInteger("baton.determinism.programs", 1_000);

  @Test
  void aThousandRandomProgramsGiveTheSameTraceTwiceAndOnBothEngines() throws Exception {
    int deadlocks = 0;
    int traces = 0;
    for (int number = 0; number < PROGRAMS; number++) {
      for (Policy policy : List.of(Policy.seeded(number), Policy.roundRobin(), Policy.runToBlock())) {
        List<String> first = trace(number, policy, Engine.PORTABLE);
        assertThat(trace(number, policy, Engine.PORTABLE)).as("program %d again", number).isEqualTo(first);
        assertThat(trace(number, policy, Engine.STEPPED)).as("program %d, stepped", number).isEqualTo(first);
        assertThat(trace(number, policy, Engine.STEPPED)).as("program %d, stepped again", number).isEqualTo(first);
        deadlocks += first.getLast().startsWith("deadlock") ? 1 : 0;
        traces += first.size();
      }
    }
    // Otherwise the programs would say little.
    assertThat(deadlocks).isBetween(PROGRAMS / 100, 2 * PROGRAMS);
    assertThat(traces).isGreaterThan(30 * PROGRAMS);
  }

  private static List<String> trace(long number, Policy policy, Engine engine) throws Exception {
    List<String> trace = new ArrayList<>();
    Cooperative world = Cooperative.create().engine(engine).seed(number).policy(policy).onStep(step -> trace.add(step.toString()));
    try {
      trace.add("returned " + world.run(() -> new RandomProgram(number).call()));
    } catch (DeadlockException deadlock) {
      trace.add("deadlock " + deadlock.graph().waits().stream().map(wait -> wait.task() + " on " + wait.resource()).toList());
    }
    return trace;
  }
}
