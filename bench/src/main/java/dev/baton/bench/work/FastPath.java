// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.runtime.Cooperative;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

/**
 * An uncontended pair by an ordinary thread, in a JVM in which no cooperative run ever was, and in one in which one was: what
 * the hooks for a cooperative host cost those who do not use it, and those who did.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("LockNotBeforeTry") // nothing between lock and unlock can throw, and the pair alone is the work
public class FastPath {
  private static final int PERMITS = 4;

  private final AtomicLong word = new AtomicLong(PERMITS);
  private final Semaphore semaphore = Semaphore.of(PERMITS);
  private final Mutex mutex = new Mutex();

  /** A benchmark that takes it runs after a cooperative run. */
  @State(Scope.Benchmark)
  public static class Ran {
    @Setup
    public void run() throws Exception {
      Cooperative.create().run(Cooperative::yieldNow);
    }
  }

  @Benchmark
  public long getAndAdds() {
    return word.getAndAdd(-1) + word.getAndAdd(1);
  }

  @Benchmark
  public void baton() throws InterruptedException {
    semaphore.acquire();
    semaphore.release();
  }

  @Benchmark
  public void batonAfterRun(Ran ran) throws InterruptedException {
    semaphore.acquire();
    semaphore.release();
  }

  @Benchmark
  public void batonMutex() {
    mutex.lock();
    mutex.unlock();
  }

  @Benchmark
  public void mutexAfterRun(Ran ran) {
    mutex.lock();
    mutex.unlock();
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("word", PERMITS, word.get());
    Expect.equal("permits", PERMITS, semaphore.available());
    Expect.equal("mutex locked", 0, mutex.isLocked() ? 1 : 0);
  }
}
