// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.RwLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
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

/** Lock for reading and unlock, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("LockNotBeforeTry") // nothing between lock and unlock can throw, and the pair alone is the work
public class UncontendedRead {
  private final RwLock baton = new RwLock();
  private final ReentrantReadWriteLock fair = new ReentrantReadWriteLock(true);
  private final ReentrantReadWriteLock nonfair = new ReentrantReadWriteLock(false);
  private final StampedLock stampedLock = new StampedLock();

  @Benchmark
  public void batonRw() {
    baton.readLock().lock();
    baton.readLock().unlock();
  }

  @Benchmark
  public void rwFair() {
    fair.readLock().lock();
    fair.readLock().unlock();
  }

  @Benchmark
  public void rwNonfair() {
    nonfair.readLock().lock();
    nonfair.readLock().unlock();
  }

  @Benchmark
  public void stamped() {
    stampedLock.unlockRead(stampedLock.readLock());
  }

  @TearDown
  public void nothingIsHeld() {
    Expect.equal("Baton readers", 0, baton.readerCount());
    Expect.equal("fair readers", 0, fair.getReadLockCount());
    Expect.equal("non-fair readers", 0, nonfair.getReadLockCount());
    Expect.equal("stamped readers", 0, stampedLock.getReadLockCount());
  }
}
