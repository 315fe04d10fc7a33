// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.Mutex;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import kotlinx.coroutines.sync.MutexKt;
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

/** Lock and unlock by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("LockNotBeforeTry") // nothing between lock and unlock can throw, and the pair alone is the work
public class UncontendedMutex {
  private final Mutex baton = new Mutex();
  private final ReentrantLock fair = new ReentrantLock(true);
  private final ReentrantLock nonfair = new ReentrantLock(false);
  private final kotlinx.coroutines.sync.Mutex kotlin = MutexKt.Mutex(false);
  private final Immediate caller = new Immediate();

  @Benchmark
  public void batonMutex() {
    baton.lock();
    baton.unlock();
  }

  @Benchmark
  public void lockFair() {
    fair.lock();
    fair.unlock();
  }

  @Benchmark
  public void lockNonfair() {
    nonfair.lock();
    nonfair.unlock();
  }

  @Benchmark
  public void kotlinMutex() {
    Immediate.check(kotlin.lock(null, caller));
    kotlin.unlock(null);
  }

  @TearDown
  public void nothingIsHeld() {
    Expect.equal("Baton mutex locked", 0, baton.isLocked() ? 1 : 0);
    Expect.equal("fair lock locked", 0, fair.isLocked() ? 1 : 0);
    Expect.equal("non-fair lock locked", 0, nonfair.isLocked() ? 1 : 0);
    Expect.equal("Kotlin mutex locked", 0, kotlin.isLocked() ? 1 : 0);
  }
}
