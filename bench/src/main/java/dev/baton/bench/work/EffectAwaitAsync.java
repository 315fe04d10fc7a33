// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effects;
import dev.baton.effect.Program;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
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

/**
 * Tiny pieces of work that are done by the common pool, one after the other: each is begun when the one before was waited for. Awaited by
 * a task; or by a bare virtual thread through {@code get}. Also as a callable, for which each time a virtual thread is started.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectAwaitAsync.PIECES)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class EffectAwaitAsync {
  static final int PIECES = 5_000;

  private static final Supplier<Integer> WORK = () -> 1;

  @Benchmark
  public long bareSupply() throws InterruptedException {
    AtomicLong sum = new AtomicLong();
    Thread.ofVirtual()
        .start(
            () -> {
              long all = 0;
              for (int i = 0; i < PIECES; i++) {
                all += got(CompletableFuture.supplyAsync(WORK));
              }
              sum.set(all);
            })
        .join();
    return checked(sum.get());
  }

  private static int got(CompletableFuture<Integer> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Benchmark
  public long batonAwait() throws Exception {
    return run(() -> Effects.<Integer>await(CompletableFuture.supplyAsync(WORK)));
  }

  @Benchmark
  public long awaitCallable() throws Exception {
    return run(() -> Effects.<Integer>await(() -> WORK.get()));
  }

  private static long run(Program<Integer> piece) throws Exception {
    Program<Long> program =
        () -> {
          long sum = 0;
          for (int i = 0; i < PIECES; i++) {
            sum += piece.run();
          }
          return sum;
        };
    return checked(Runner.create().engine(Engine.PORTABLE).run(program).orThrow());
  }

  private static long checked(long sum) {
    Expect.equal("sum of the values", PIECES, sum);
    return sum;
  }
}
