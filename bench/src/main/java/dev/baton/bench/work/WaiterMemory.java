// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Heap per virtual thread that waits in each implementation, and per virtual thread that is merely parked: the
 * difference is what a queued waiter costs. It counts the waiter's stack frames too. The serial collector keeps exact
 * accounts once it is told to leave no dead objects where they lie.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0"})
public class WaiterMemory {
  private static final int WARM_UP_ROUNDS = 8;
  private static final int WARM_UP_THREADS = 10_000;

  @Param({"100000"})
  int threads;

  @Param({"barePark", "baton", "jucFair", "batonMutex", "lockFair"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  /** Lets the JIT compile the frames that are about to be counted: a thread parked in the interpreter is far larger. */
  @Setup
  public void warmUp() throws InterruptedException {
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      measure(WARM_UP_THREADS, new ThreadFootprint());
    }
  }

  @Benchmark
  public void measure(ThreadFootprint footprint) throws InterruptedException {
    measure(threads, footprint);
  }

  private void measure(int size, ThreadFootprint footprint) throws InterruptedException {
    ParkingPlace place = ParkingPlace.of(Peer.of(impl));
    var left = new AtomicInteger();
    Thread[] waiting = new Thread[size];
    Runnable waiter =
        () -> {
          try {
            place.await();
            left.incrementAndGet();
          } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
          }
        };
    place.close();
    long before = Heap.settled();
    long stacksBefore = Heap.stacks();
    for (int i = 0; i < size; i++) {
      waiting[i] = Thread.ofVirtual().start(waiter);
    }
    for (Thread thread : waiting) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
    footprint.bytesPerThread = (double) (Heap.settled() - before) / size;
    footprint.stackBytesPerThread = (double) (Heap.stacks() - stacksBefore) / size;
    Expect.equal("threads that did not wait", 0, left.get());
    place.open(waiting);
    for (Thread thread : waiting) {
      thread.join(); // not merely let go: its stack must be gone before the next round begins to count
    }
    Expect.equal("threads that were let go", size, left.get());
  }
}
