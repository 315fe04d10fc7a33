// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effects;
import dev.baton.effect.Program;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import java.util.concurrent.CompletableFuture;
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

/** Waiting for a stage that has ended before: an external promise is made, kept at once, and waited for. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectAwait.AWAITS)
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
public class EffectAwait {
  static final int AWAITS = 50_000;

  private final CompletableFuture<Integer> done = CompletableFuture.completedFuture(1);

  @Benchmark
  public long batonAwait() throws Exception {
    Program<Long> program =
        () -> {
          long sum = 0;
          for (int i = 0; i < AWAITS; i++) {
            sum += Effects.<Integer>await(done);
          }
          return sum;
        };
    long sum = Runner.create().engine(Engine.PORTABLE).run(program).orThrow();
    Expect.equal("sum of the values", AWAITS, sum);
    return sum;
  }
}
