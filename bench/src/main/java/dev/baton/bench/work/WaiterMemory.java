// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.util.concurrent.CountDownLatch;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Heap per virtual thread that waits in each implementation, and per virtual thread that is merely parked: the
 * difference is what a queued waiter costs. It counts the waiter's stack frames too; the rounds of warm-up let the JIT
 * compile them, as in a program that has run for a while. The serial collector keeps exact accounts.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseSerialGC"})
public class WaiterMemory {
  @Param({"100000"})
  int threads;

  @Param({"barePark", "baton", "jucFair", "batonMutex", "lockFair"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @Benchmark
  public void measure(ThreadFootprint footprint) throws InterruptedException {
    ParkingPlace place = ParkingPlace.of(Peer.of(impl));
    var arrived = new AtomicInteger();
    var left = new CountDownLatch(threads);
    Thread[] waiting = new Thread[threads];
    Runnable waiter =
        () -> {
          try {
            place.await();
            arrived.incrementAndGet();
          } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
          } finally {
            left.countDown();
          }
        };
    place.close();
    long before = Heap.settled();
    for (int i = 0; i < threads; i++) {
      waiting[i] = Thread.ofVirtual().start(waiter);
    }
    for (Thread thread : waiting) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
    footprint.bytesPerThread = (double) (Heap.settled() - before) / threads;
    Expect.equal("threads that did not wait", 0, arrived.get());
    place.open(waiting);
    left.await();
    Expect.equal("threads that were let go", threads, arrived.get());
  }
}
