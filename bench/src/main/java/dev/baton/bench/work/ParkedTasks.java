// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Engine;
import dev.baton.scope.Scope;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Heap per cooperative task that waits for a permit: all that hangs on it, from its virtual thread with its stack to its place in
 * the line. Started as the runtime starts its tasks, or forked in a scope. The floor is a virtual thread that is merely parked.
 * Counted as in {@link WaiterMemory}, best in several JVMs ({@code --forks}): how much of a task's stack is one frame depends on the order in which the JIT
 * compiles, which is the same for all tasks of a JVM and another in the next.
 */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 1)
@Fork(value = 1, jvmArgs = {"-Xms5g", "-Xmx5g", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0"})
public class ParkedTasks {
  private static final int WARM_UP_ROUNDS = 40;
  private static final int WARM_UP_TASKS = 10_000;

  @Param({"1000000"})
  int tasks;

  @Param({"bareParked", "batonTask", "batonScope"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  Engine engine() {
    return Engine.PORTABLE;
  }

  /** Lets the JIT compile the frames that are about to be counted. */
  @Setup
  public void warmUp() throws Exception {
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      measure(Peer.of(impl), engine(), WARM_UP_TASKS, new ThreadFootprint());
    }
  }

  @Benchmark
  public void measure(ThreadFootprint footprint) throws Exception {
    measure(Peer.of(impl), engine(), tasks, footprint);
  }

  static void measure(Peer peer, Engine engine, int size, ThreadFootprint footprint) throws Exception {
    if (peer == Peer.BARE_PARKED) {
      parkBare(size, footprint);
      return;
    }
    Cooperative.create()
        .engine(engine)
        .stallAfter(Duration.ofMinutes(10)) // collecting takes its time, and is no stall
        .run(
            () -> {
              switch (peer) {
                case BATON_TASK -> parkTasks(size, footprint);
                case BATON_SCOPE -> parkForks(size, footprint);
                default -> throw new IllegalArgumentException(peer.label() + " is no task");
              }
            });
  }

  private static void parkTasks(int size, ThreadFootprint footprint) throws InterruptedException {
    Semaphore semaphore = Semaphore.of(1);
    int[] left = new int[1]; // of whoever has the turn
    Runnable waiter =
        () -> {
          semaphore.acquireUninterruptibly();
          semaphore.release();
          left[0]++;
        };
    Host host = Hosts.current();
    semaphore.acquire();
    Count count = new Count();
    for (int i = 0; i < size; i++) {
      host.start("", waiter);
    }
    awaitWaiting(semaphore, size);
    count.end(size, footprint);
    Expect.equal("tasks that did not wait", 0, left[0]);
    semaphore.release();
    while (left[0] < size) {
      Cooperative.yieldNow();
    }
    Expect.equal("tasks that were let go", size, left[0]);
  }

  private static void parkForks(int size, ThreadFootprint footprint) throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    int[] left = new int[1]; // of whoever has the turn
    semaphore.acquire();
    Scope.run(
        scope -> {
          Count count = new Count();
          for (int i = 0; i < size; i++) {
            scope.fork(
                () -> {
                  semaphore.acquire();
                  semaphore.release();
                  left[0]++;
                  return semaphore;
                });
          }
          awaitWaiting(semaphore, size);
          count.end(size, footprint);
          Expect.equal("tasks that did not wait", 0, left[0]);
          semaphore.release();
          scope.join();
        });
    Expect.equal("tasks that were let go", size, left[0]);
  }

  private static void awaitWaiting(Semaphore semaphore, int size) {
    while (semaphore.waiting() < size) {
      Cooperative.yieldNow();
    }
  }

  private static void parkBare(int size, ThreadFootprint footprint) throws InterruptedException {
    ParkingPlace place = new ParkingPlace.Bare();
    AtomicInteger left = new AtomicInteger();
    Thread[] threads = new Thread[size];
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
    Count count = new Count();
    for (int i = 0; i < size; i++) {
      threads[i] = Thread.ofVirtual().start(waiter);
    }
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
    count.end(size, footprint);
    Expect.equal("threads that did not wait", 0, left.get());
    place.open(threads);
    for (Thread thread : threads) {
      thread.join();
    }
    Expect.equal("threads that were let go", size, left.get());
  }

  /** The heap since it was made. */
  private static final class Count {
    private final long before = Heap.settled();
    private final long stacksBefore = Heap.stacks();

    void end(int size, ThreadFootprint footprint) {
      footprint.bytesPerThread = (double) (Heap.settled() - before) / size;
      footprint.stackBytesPerThread = (double) (Heap.stacks() - stacksBefore) / size;
    }
  }
}
