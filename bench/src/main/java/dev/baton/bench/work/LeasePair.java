// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

/**
 * Acquire and release without contention, by one platform thread: a lease in memory, which has a name, an id, a slot, a token and a timer for
 * its end; and, to compare with, a permit that has none of these.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class LeasePair {
  private static final int PERMITS = 4;

  private final Leases leases = Leases.inMemory();
  private final LeaseSemaphore named = leases.semaphore("bench", PERMITS).ttl(Duration.ofMinutes(1));
  private final Semaphore semaphore = Semaphore.of(PERMITS);

  @Benchmark
  public long batonLease() throws InterruptedException, TimeoutException {
    try (Lease lease = named.acquire()) {
      return lease.fencingToken();
    }
  }

  @Benchmark
  public void baton() throws InterruptedException {
    semaphore.acquire();
    semaphore.release();
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("permits held", 0, named.stats().acquired());
    Expect.equal("leases lost", 0, named.stats().expired());
    Expect.equal("free permits", PERMITS, semaphore.available());
    leases.close();
  }
}
