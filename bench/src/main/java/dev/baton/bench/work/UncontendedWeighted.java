// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
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

/** Acquire and release of three permits at once out of four. Kotlin's semaphore has no such request. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class UncontendedWeighted {
  private static final int PERMITS = 4;
  private static final int WEIGHT = 3;

  private final Semaphore baton = Semaphore.of(PERMITS);
  private final java.util.concurrent.Semaphore fair = new java.util.concurrent.Semaphore(PERMITS, true);
  private final java.util.concurrent.Semaphore nonfair = new java.util.concurrent.Semaphore(PERMITS, false);

  @Benchmark
  public void baton() throws InterruptedException {
    baton.acquire(WEIGHT);
    baton.release(WEIGHT);
  }

  @Benchmark
  public void jucFair() throws InterruptedException {
    fair.acquire(WEIGHT);
    fair.release(WEIGHT);
  }

  @Benchmark
  public void jucNonfair() throws InterruptedException {
    nonfair.acquire(WEIGHT);
    nonfair.release(WEIGHT);
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("Baton permits", PERMITS, baton.available());
    Expect.equal("fair permits", PERMITS, fair.availablePermits());
    Expect.equal("non-fair permits", PERMITS, nonfair.availablePermits());
  }
}
