// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Onlooker;
import dev.baton.bench.peer.Peer;
import dev.baton.sync.Semaphore;
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

/** Acquire one of four permits and release it, observed or not, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ObservedPair {
  @Param({"baton", "named", "recorded", "metered"})
  public String impl = "baton";

  private final Semaphore permits = Semaphore.of(4);

  private AutoCloseable onlooker = () -> {};

  @Setup
  public void lookOn() {
    Onlooker who = Peer.of(impl).onlooker();
    if (who != Onlooker.NONE_POSSIBLE) {
      permits.named(impl);
    }
    onlooker = who.begin();
    // As in a program that has run for a while: what is stored in old objects costs the garbage collector more.
    System.gc();
    System.gc();
  }

  @Benchmark
  public void pair() throws InterruptedException {
    permits.acquire();
    permits.release();
  }

  @TearDown
  public void nothingIsHeld() throws Exception {
    onlooker.close();
    Expect.equal("free permits", 4, permits.available());
  }
}
