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

/** Interrupts n waiters at once: from the first interrupt until the last has left with its exception. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 4)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g"})
public class InterruptStorm {
  private static final int WARM_UP_ROUNDS = 30;
  private static final int WARM_UP_WAITERS = 1_000;

  @Param({"1000", "2000", "4000", "8000", "16000"})
  int waiters;

  @Param({"baton", "jucFair", "jucNonfair", "kotlin"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Waiters queue;

  /** Lets the JIT compile the way in and the way out, so that a small storm is not measured colder than a large one. */
  @Setup
  public void warmUp() throws InterruptedException {
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      Waiters few = Waiters.of(Peer.of(impl), WARM_UP_WAITERS);
      few.queue();
      few.interruptAll();
      few.awaitEnd();
      few.verify();
    }
  }

  @Setup(Level.Iteration)
  public void queue() throws InterruptedException {
    queue = Waiters.of(Peer.of(impl), waiters);
    queue.queue();
  }

  @Benchmark
  public void interrupt() throws InterruptedException {
    queue.interruptAll();
    queue.awaitEnd();
  }

  @TearDown(Level.Iteration)
  public void verify() {
    queue.verify();
  }
}
