// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
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

/**
 * Four permits, many workers, nothing to do inside. With fewer cores than permits nobody has to wait, since a worker
 * inside is always running: what contends is the state of the semaphore itself.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ContendedPermits {
  private static final int PERMITS = 4;

  @Param({"2", "64", "1000", "10000"})
  int threads;

  @Param({"baton", "jucFair", "jucNonfair", "kotlin"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Crowd crowd;

  @Setup
  public void start() {
    Crowd.rehearse(this::crowdOf);
    crowd = crowdOf(threads);
    crowd.start();
  }

  private Crowd crowdOf(int size) {
    return GateCrowd.of(Peer.of(impl), PERMITS, size, 0, Turns.SOMETIMES);
  }

  @Setup(Level.Iteration)
  public void mark() {
    crowd.mark();
  }

  @Benchmark
  public void pairs(Pairs pairs, Costs costs) throws InterruptedException {
    crowd.sample(pairs, costs);
  }

  @TearDown
  public void stop() throws InterruptedException {
    crowd.stop();
  }
}
