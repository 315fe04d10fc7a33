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
 * A few permits of one name, and many callers who want them. All implementations become faster for some twenty seconds, as the JIT has to
 * share two cores with the callers and the server.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 12, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
public class RemoteContended {
  @Param({"64"})
  int threads;

  @Param({"4"})
  int permits;

  @Param({"batonRedis", "redissonPermit", "redissonSemaphore"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private RemoteCrowd crowd;

  @Setup
  public void start() throws Exception {
    crowd = new RemoteCrowd(Peer.of(impl), threads, 1, permits);
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
