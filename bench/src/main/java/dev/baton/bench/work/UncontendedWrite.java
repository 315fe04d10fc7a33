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

/** Lock for writing and unlock, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("LockNotBeforeTry") // nothing between lock and unlock can throw, and the pair alone is the work
public class UncontendedWrite {
  private final RwLock baton = new RwLock();
  private final ReentrantReadWriteLock fair = new ReentrantReadWriteLock(true);
  private final ReentrantReadWriteLock nonfair = new ReentrantReadWriteLock(false);
  private final StampedLock stampedLock = new StampedLock();

  @Benchmark
  public void batonRw() {
    baton.writeLock().lock();
    baton.writeLock().unlock();
  }

  @Benchmark
  public void rwFair() {
    fair.writeLock().lock();
    fair.writeLock().unlock();
  }

  @Benchmark
  public void rwNonfair() {
    nonfair.writeLock().lock();
    nonfair.writeLock().unlock();
  }

  @Benchmark
  public void stamped() {
    stampedLock.unlockWrite(stampedLock.writeLock());
  }

  @TearDown
  public void nothingIsHeld() {
    Expect.equal("Baton write-locked", 0, baton.isWriteLocked() ? 1 : 0);
    Expect.equal("fair write-locked", 0, fair.isWriteLocked() ? 1 : 0);
    Expect.equal("non-fair write-locked", 0, nonfair.isWriteLocked() ? 1 : 0);
    Expect.equal("stamped write-locked", 0, stampedLock.isWriteLocked() ? 1 : 0);
  }
}
