// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effects;
import dev.baton.effect.Program;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import kotlinx.coroutines.sync.SemaphoreKt;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Acquire and release of one permit of four: as effects by a task that nobody disturbs; and, to compare with, of the same semaphore by
 * an ordinary thread, and of Kotlin's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectPermit.PAIRS)
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
public class EffectPermit {
  static final int PAIRS = 100_000;

  private static final int PERMITS = 4;

  private final Semaphore semaphore = Semaphore.of(PERMITS);
  private final kotlinx.coroutines.sync.Semaphore kotlin = SemaphoreKt.Semaphore(PERMITS, 0);
  private final Immediate caller = new Immediate();

  @Benchmark
  public void effectPermit() throws Exception {
    Program<Object> program =
        () -> {
          for (int i = 0; i < PAIRS; i++) {
            Effects.acquire(semaphore);
            Effects.release(semaphore);
          }
          return this;
        };
    Runner.create().engine(Engine.PORTABLE).run(program).orThrow();
  }

  @Benchmark
  public void baton() throws InterruptedException {
    for (int i = 0; i < PAIRS; i++) {
      semaphore.acquire();
      semaphore.release();
    }
  }

  @Benchmark
  public void kotlin() {
    for (int i = 0; i < PAIRS; i++) {
      Immediate.check(kotlin.acquire(caller));
      kotlin.release();
    }
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("Baton permits", PERMITS, semaphore.available());
    Expect.equal("Kotlin permits", PERMITS, kotlin.getAvailablePermits());
  }
}
