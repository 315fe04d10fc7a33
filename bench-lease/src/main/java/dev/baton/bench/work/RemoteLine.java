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

/** One permit that goes from hand to hand through a long line: each who has had it goes to the end again. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 7, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
public class RemoteLine {
  @Param({"100", "1000", "10000"})
  int waiters;

  @Param({"batonRedis"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private RemoteCrowd crowd;

  @Setup
  public void start() throws Exception {
    crowd = new RemoteCrowd(Peer.of(impl), waiters + 1, 1, 1);
    crowd.start();
  }

  @Setup(Level.Iteration)
  public void mark() {
    crowd.mark();
    crowd.markRemote();
  }

  @Benchmark
  public void pairs(Pairs pairs, Costs costs, RemoteCosts remote) throws InterruptedException {
    crowd.sample(pairs, costs);
    crowd.sampleRemote(costs, remote);
  }

  @TearDown
  public void stop() throws Exception {
    crowd.close();
  }
}
