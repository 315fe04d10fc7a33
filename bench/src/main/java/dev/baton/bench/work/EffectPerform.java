// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effect;
import dev.baton.effect.Effects;
import dev.baton.effect.Handlers;
import dev.baton.effect.Program;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An effect that a plain handler answers, with so many sets of handlers in scope; the one that answers is the outermost. One task, which
 * nobody disturbs: giving up the turn is part of the operation, and nobody else takes it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectPerform.PERFORMS)
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
public class EffectPerform {
  static final int PERFORMS = 100_000;

  @Param({"1", "8"})
  int depth;

  private Handlers handlers = Handlers.none();

  record Twice(Integer n) implements Effect<Integer> {}

  record Other() implements Effect<Integer> {}

  /** As many sets of handlers as are asked for, all of them different ones. */
  @Setup
  public void nest() {
    handlers = Handlers.defaults().with(Handlers.of(Twice.class, Twice::n));
    for (int i = 1; i < depth; i++) {
      int answer = i;
      handlers = handlers.with(Handlers.of(Other.class, other -> answer));
    }
  }

  @Benchmark
  public long batonPerform() throws Exception {
    Integer one = 1;
    Program<Long> program =
        () -> {
          long sum = 0;
          for (int i = 0; i < PERFORMS; i++) {
            sum += Effects.perform(new Twice(one));
          }
          return sum;
        };
    long sum = Runner.create().engine(Engine.PORTABLE).handlers(handlers).run(program).orThrow();
    Expect.equal("answers", PERFORMS, sum);
    return sum;
  }
}
