// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.runtime.Engine;
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
 * Two cooperative tasks that take turns, beside two bare virtual threads that wake each other: one operation is one switch.
 * Either they yield, or they hand each other a permit or a notification. As with {@link Hop}, the scheduler of the JVM now keeps
 * both on one carrier and now spreads them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class Switch {
  @Param({"bareSwitch", "batonYield", "baton", "batonNotify"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Crowd crowd;

  Engine engine() {
    return Engine.PORTABLE;
  }

  @Setup
  public void start() {
    Crowd.rehearsePairs(() -> crowd(Peer.of(impl), engine()));
    crowd = crowd(Peer.of(impl), engine());
    crowd.start();
  }

  static Crowd crowd(Peer peer, Engine engine) {
    if (peer != Peer.BARE_SWITCH) {
      return new CooperativeHopCrowd(peer, engine);
    }
    return engine == Engine.STEPPED ? new LoopHopCrowd(peer) : new HopCrowd(peer);
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
