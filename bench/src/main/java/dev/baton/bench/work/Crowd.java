// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workers that repeat the same round until they are told to stop. Each counts its own rounds; a sampler reads
 * the counts from outside, so the steady state is measured and neither the start nor the end of the workers is.
 */
abstract class Crowd {
  private static final long SAMPLE_MILLIS = 50;
  private static final long END_SECONDS = 30;
  private static final int REHEARSALS = 40;
  private static final int REHEARSING = 500;
  private static final int ROUNDS_EACH = 4;
  static final int STRIDE = 16; // two cache lines per count, since they are fetched in pairs: counting must not contend
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  final int size;
  private final long[] counts;
  private final long[] marks;
  private final CountDownLatch running;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private long cpuMark;
  private long bytesMark;

  Crowd(int size) {
    this.size = size;
    counts = new long[(size + 1) * STRIDE];
    marks = new long[size];
    running = new CountDownLatch(size);
  }

  abstract void start();

  /**
   * Lets many crowds come and go that do the same. A worker never leaves its loop, so that the frame it begins with is there to stay; if that is one of
   * the interpreter's, each switch of its thread takes the long way, and with 10,000 workers who have a few dozen turns a second each the JIT
   * replaces such frames for half a minute.
   */
  static void rehearse(IntFunction<? extends Crowd> ofSize) {
    rehearse(REHEARSALS, () -> ofSize.apply(REHEARSING));
  }

  /** The same where a crowd is always of two: so it takes more of them. */
  static void rehearsePairs(Supplier<? extends Crowd> pair) {
    rehearse(REHEARSALS * REHEARSING / 4, pair);
  }

  @SuppressWarnings("ThreadPriorityCheck") // until then there is nothing else to do
  private static void rehearse(int times, Supplier<? extends Crowd> maker) {
    try {
      for (int i = 0; i < times; i++) {
        Crowd crowd = maker.get();
        crowd.start();
        while (crowd.rounds() < (long) crowd.size * ROUNDS_EACH && !crowd.hasFailed()) {
          Thread.yield();
        }
        crowd.stop();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while rehearsing", e);
    }
  }

  /** Breaks waits that did not end although everybody else has left. */
  abstract void interrupt();

  /** Checks, after the last worker has ended, that what they did adds up. */
  abstract void check();

  final boolean stopped() {
    return stopped;
  }

  final void count(int worker) {
    int index = index(worker);
    COUNT.setOpaque(counts, index, counts[index] + 1); // opaque: seen by the sampler in time, ordered with nothing
  }

  final void ended() {
    running.countDown();
  }

  final void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  final boolean hasFailed() {
    return failure.get() != null;
  }

  /** Starts an iteration. */
  final void mark() {
    for (int worker = 0; worker < size; worker++) {
      marks[worker] = rounds(worker);
    }
    cpuMark = SYSTEM.getProcessCpuTime();
    bytesMark = THREADS.getTotalThreadAllocatedBytes();
  }

  /** Lets some time pass, then reports what was done since {@link #mark}. */
  final void sample(Pairs pairs, Costs costs) throws InterruptedException {
    Thread.sleep(SAMPLE_MILLIS);
    long sum = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int worker = 0; worker < size; worker++) {
      long done = rounds(worker) - marks[worker];
      sum += done;
      least = Math.min(least, done);
      most = Math.max(most, done);
    }
    pairs.pairs = sum;
    costs.rounds = sum;
    costs.cpuNanos = SYSTEM.getProcessCpuTime() - cpuMark;
    costs.allocatedBytes = THREADS.getTotalThreadAllocatedBytes() - bytesMark;
    costs.leastPerWorker = least;
    costs.mostPerWorker = most;
  }

  /** Ends all workers and checks their work. */
  final void stop() throws InterruptedException {
    stopped = true;
    if (!running.await(END_SECONDS, TimeUnit.SECONDS)) {
      long stuck = running.getCount();
      interrupt();
      running.await(END_SECONDS, TimeUnit.SECONDS);
      throw new IllegalStateException(stuck + " of " + size + " workers were never woken again");
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a worker failed", failure.get());
    }
    check();
  }

  /** What all workers have done since they were started. */
  final long rounds() {
    long sum = 0;
    for (int worker = 0; worker < size; worker++) {
      sum += rounds(worker);
    }
    return sum;
  }

  final long rounds(int worker) {
    return (long) COUNT.getOpaque(counts, index(worker));
  }

  /** Behind a gap: the length of the array, which all read, stands in front. */
  private static int index(int worker) {
    return (worker + 1) * STRIDE;
  }
}
