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
 * Eight resources and many virtual threads. With nothing to do inside and fewer cores than resources nobody has to wait; what contends is
 * the state of the pool. Those that yield inside have all eight taken most of the time, and every round is a change of hands.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ContendedPool {
  private static final int LIMIT = 8;

  @Param({"64"})
  int threads;

  @Param({"nothing", "yield"})
  @SuppressWarnings("NullAway.Init")
  String inside;

  @Param({"batonPool", "commonsPool", "commonsPoolFair", "hikariBag"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Crowd crowd;

  @Setup
  public void start() {
    crowd = new LenderCrowd(Peer.of(impl).lender(LIMIT), LIMIT, threads, inside.equals("yield"), Turns.SOMETIMES);
    crowd.start();
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
