// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.observe.Baton;
import dev.baton.sync.RwLock;
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

/** Lock for reading and unlock, with the reader written down or not, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
@SuppressWarnings("LockNotBeforeTry") // nothing between lock and unlock can throw, and the pair alone is the work
public class TrackedRead {
  @Param({"batonRw", "trackedRw", "trackedStacksRw"})
  public String impl = "batonRw";

  private final RwLock lock = new RwLock();

  @Setup
  public void track() {
    Baton.track(Peer.of(impl).tracking());
    // As in a program that has run for a while: what is stored in old objects costs the garbage collector more.
    System.gc();
    System.gc();
  }

  @Benchmark
  public void pair() {
    lock.readLock().lock();
    lock.readLock().unlock();
  }

  @TearDown
  public void nothingIsHeld() {
    Expect.equal("readers", 0, lock.readerCount());
  }
}
