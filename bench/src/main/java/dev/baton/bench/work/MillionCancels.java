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
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Cancels a million asynchronous waiters in the order in which they came; nothing of them may stay behind. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g"})
public class MillionCancels {
  @Param({"1000000"})
  int asyncWaiters;

  @Param({"baton"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  private List<CompletableFuture<Permit>> futures = List.of();
  private Semaphore semaphore = Semaphore.of(1);
  private HeapUse use = new HeapUse();
  private long heapBefore;
  private long heapQueued;

  @Setup(Level.Iteration)
  public void queue() throws InterruptedException {
    semaphore = Semaphore.of(1);
    semaphore.acquire();
    heapBefore = Heap.settled();
    futures = new ArrayList<>(asyncWaiters);
    for (int i = 0; i < asyncWaiters; i++) {
      futures.add(semaphore.acquireAsync());
    }
    Expect.equal("waiters", asyncWaiters, semaphore.waiting());
    heapQueued = Heap.settled();
  }

  @Benchmark
  public void cancel(HeapUse heapUse) {
    use = heapUse; // filled in by verify(), which JMH runs before it reads the counters
    for (CompletableFuture<Permit> future : futures) {
      future.cancel(false);
    }
  }

  @TearDown(Level.Iteration)
  public void verify() {
    Expect.equal("cancelled", asyncWaiters, futures.stream().filter(CompletableFuture::isCancelled).count());
    Expect.equal("waiters", 0, semaphore.waiting());
    futures = List.of();
    use.heapBefore = heapBefore;
    use.heapQueued = heapQueued;
    use.heapAfter = Heap.settled();
    semaphore.release(); // after the measurement: the semaphore itself had to stay reachable
    Expect.equal("free permits at the end", 1, semaphore.available());
  }
}
