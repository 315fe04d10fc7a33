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
 * Workers that sleep for a millisecond while they are inside: nothing but a late hand-over can cost throughput. The
 * floor is as many sleepers as there are permits, without a gate. Coroutines sleep by another timer, so Kotlin has no
 * row here.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class SleepingHolders {
  @Param({"4", "16"})
  int permits;

  @Param({"1000"})
  int threads;

  @Param({"bareSleepers", "baton", "jucFair", "jucNonfair"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Crowd crowd;

  @Setup
  public void start() {
    crowd = crowd();
    crowd.start();
  }

  private Crowd crowd() {
    Peer peer = Peer.of(impl);
    int size = peer == Peer.BARE_SLEEPERS ? permits : threads;
    return new ThreadCrowd(peer.gate(permits), permits, size, Section.sleep(1), Turns.NEVER);
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
