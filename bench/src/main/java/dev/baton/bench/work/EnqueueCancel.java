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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One waiter that queues and is cancelled at once: the slow path alone, without waking anybody. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class EnqueueCancel {
  private final Semaphore semaphore = Semaphore.of(1);

  @Setup
  public void take() throws InterruptedException {
    semaphore.acquire();
  }

  @Benchmark
  public boolean baton() {
    return semaphore.acquireAsync().cancel(false);
  }

  @TearDown
  public void nobodyIsLeft() {
    Expect.equal("waiters", 0, semaphore.waiting());
    semaphore.release();
    Expect.equal("free permits", 1, semaphore.available());
  }
}
