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

/** One permit that many workers pass on, observed or not: every round is a wait. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ObservedWait {
  @Param({"10", "800"})
  int sectionNanos;

  @Param({"64"})
  int threads;

  @Param({"baton", "named", "recorded", "metered"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Crowd crowd;

  private AutoCloseable onlooker = () -> {};

  @Setup
  public void start() {
    Peer peer = Peer.of(impl);
    onlooker = peer.onlooker().begin();
    crowd = GateCrowd.of(peer, 1, threads, Calibration.tokens(sectionNanos), Turns.NEVER);
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
  public void stop() throws Exception {
    crowd.stop();
    onlooker.close();
  }
}
