// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import com.sun.management.OperatingSystemMXBean;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.Leases;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
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
 * So many leases of one name, all held at once and all lost because their time is over. The score is the time it takes to acquire them all.
 * What an expiry costs is CPU time of the process from then on until the last is gone: they expire one after the other as they were
 * acquired, so a clock would only show that. The log, which has a line for each loss, is off.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 2)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0"})
public class LiveLeases {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final Logger LOG = Logger.getLogger("dev.baton.lease"); // kept here, or its level would be forgotten
  private static final Duration SHORTEST = Duration.ofSeconds(3);
  private static final long NANOS_EACH = 10_000;
  private static final long POLL_MILLIS = 20;

  @Param({"100000", "1000000"})
  int leases;

  @Param({"batonLease"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  private Lease[] held = {};
  private Leases registry = Leases.inMemory();
  private LeaseSemaphore semaphore = registry.semaphore("bench", 1);
  private LeaseFootprint footprint = new LeaseFootprint();
  private long heapBefore;

  @Setup(org.openjdk.jmh.annotations.Level.Iteration)
  public void settle() {
    LOG.setLevel(Level.OFF);
    registry = Leases.inMemory();
    semaphore = registry.semaphore("bench", leases).ttl(SHORTEST.plusNanos(NANOS_EACH * leases));
    held = new Lease[leases];
    heapBefore = Heap.settled();
  }

  @Benchmark
  public void acquire(LeaseFootprint use) throws InterruptedException, TimeoutException {
    footprint = use; // filled in by expire(), which JMH runs before it reads the counters
    for (int i = 0; i < leases; i++) {
      held[i] = semaphore.acquire();
    }
  }

  @TearDown(org.openjdk.jmh.annotations.Level.Iteration)
  public void expire() throws InterruptedException {
    footprint.heapPerLease = (double) (Heap.settled() - heapBefore) / leases;
    Expect.equal("leases held together", leases, semaphore.stats().acquired());
    long cpu = SYSTEM.getProcessCpuTime();
    while (semaphore.stats().acquired() > 0) {
      Thread.sleep(POLL_MILLIS);
    }
    footprint.expiryCpuNanos = (double) (SYSTEM.getProcessCpuTime() - cpu) / leases;
    LeaseStats stats = semaphore.stats();
    Expect.equal("leases that expired", leases, stats.expired());
    for (Lease lease : held) {
      Expect.equal("leases still valid", 0, lease.isValid() ? 1 : 0);
    }
    held = new Lease[0];
    registry.close();
  }
}
