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
 * Two tasks of an effect program that pass a turn to and fro by effects, beside two bare virtual threads and two coroutines: one operation
 * is one hop, which is one switch. By a promise for each hop, by a semaphore for each side, or by yielding. On the portable engine with
 * one carrier, and coroutines on one thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    })
public class EffectSwitch {
  @Param({"bareSwitch", "batonYield", "effectYield", "effectPromise", "effectSemaphore", "kotlinYield", "kotlinHandOver"})
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
    return switch (peer) {
      case EFFECT_YIELD, EFFECT_PROMISE, EFFECT_SEMAPHORE -> new EffectHopCrowd(peer, engine);
      case KOTLIN_YIELD, KOTLIN_HAND_OVER -> new CoroutineHopCrowd(peer);
      default -> Switch.crowd(peer, engine);
    };
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
