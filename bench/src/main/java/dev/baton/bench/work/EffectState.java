// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effects;
import dev.baton.effect.Program;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A value of the state is read and written back, as two effects, by a task that nobody disturbs. There are eight keys. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectState.PAIRS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    })
public class EffectState {
  static final int PAIRS = 100_000;

  private static final Map<String, Integer> EIGHT =
      Map.of("a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6, "g", 7, "h", 8);

  @Benchmark
  public long batonState() throws Exception {
    Program<Long> program =
        () -> {
          long sum = 0;
          for (int i = 0; i < PAIRS; i++) {
            Integer value = Effects.get("c");
            sum += value;
            Effects.put("c", value);
          }
          return sum;
        };
    long sum = Runner.create().engine(Engine.PORTABLE).state(EIGHT).run(program).orThrow();
    Expect.equal("sum of what was read", 3L * PAIRS, sum);
    return sum;
  }
}
