// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kotlinx.coroutines.sync.SemaphoreKt;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Acquire and release of one permit out of four, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class UncontendedSemaphore {
  private static final int PERMITS = 4;

  private final AtomicLong word = new AtomicLong(PERMITS);
  private final Semaphore baton = Semaphore.of(PERMITS);
  private final java.util.concurrent.Semaphore fair = new java.util.concurrent.Semaphore(PERMITS, true);
  private final java.util.concurrent.Semaphore nonfair = new java.util.concurrent.Semaphore(PERMITS, false);
  private final kotlinx.coroutines.sync.Semaphore kotlin = SemaphoreKt.Semaphore(PERMITS, 0);
  private final Immediate caller = new Immediate();

  /** Both results are used, as a semaphore must use them; else the JIT picks a cheaper instruction. */
  @Benchmark
  public long getAndAdds() {
    return word.getAndAdd(-1) + word.getAndAdd(1);
  }

  @Benchmark
  public void baton() throws InterruptedException {
    baton.acquire();
    baton.release();
  }

  @Benchmark
  public void jucFair() throws InterruptedException {
    fair.acquire();
    fair.release();
  }

  @Benchmark
  public void jucNonfair() throws InterruptedException {
    nonfair.acquire();
    nonfair.release();
  }

  @Benchmark
  public void kotlin() {
    Immediate.check(kotlin.acquire(caller));
    kotlin.release();
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("word", PERMITS, word.get());
    Expect.equal("Baton permits", PERMITS, baton.available());
    Expect.equal("fair permits", PERMITS, fair.availablePermits());
    Expect.equal("non-fair permits", PERMITS, nonfair.availablePermits());
    Expect.equal("Kotlin permits", PERMITS, kotlin.getAvailablePermits());
  }
}
