// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Queues k asynchronous waiters, then serves them all with one release of k permits. Those just served hold the
 * permits that the next call releases.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ServeAsync {
  @Param({"1", "16", "256"})
  int k;

  @Param({"baton"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  private Semaphore semaphore = Semaphore.of(1);
  private List<CompletableFuture<Permit>> futures = List.of();

  @Setup
  public void take() throws InterruptedException {
    semaphore = Semaphore.of(k);
    semaphore.acquire(k);
    futures = new ArrayList<>(k);
  }

  @Benchmark
  public void serve() {
    futures.clear();
    for (int i = 0; i < k; i++) {
      futures.add(semaphore.acquireAsync());
    }
    semaphore.release(k);
    for (CompletableFuture<Permit> future : futures) {
      if (!future.isDone()) {
        throw new IllegalStateException("a release of " + k + " left one of " + k + " waiters unserved");
      }
    }
  }

  @TearDown
  public void everybodyWasServed() {
    Expect.equal("waiters", 0, semaphore.waiting());
    semaphore.release(k);
    Expect.equal("free permits", k, semaphore.available());
  }
}
