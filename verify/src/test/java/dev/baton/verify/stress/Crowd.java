// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do random things until the time is up or one of them fails, interrupting each other now and then. All must
 * come to an end before a deadline; if not, the failure shows where they stand.
 */
final class Crowd {
  private static final Duration PATIENCE = Duration.ofSeconds(Effort.of(30, 120));

  /** When one has failed already, the others are only given a chance to leave. */
  private static final Duration BRIEFLY = Duration.ofSeconds(1);

  private final long seed;
  private final Thread.Builder builder;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean over;

  private Crowd(long seed, Thread.Builder builder) {
    this.seed = seed;
    this.builder = builder;
  }

  /** One thing to do; throwing anything but InterruptedException fails the test. */
  interface Deed {
    void run(int thread, SplittableRandom random) throws Exception;
  }

  static Crowd ofVirtualThreads() {
    return new Crowd(seed(), Thread.ofVirtual().name("crowd-", 0));
  }

  static Crowd ofPlatformThreads() {
    return new Crowd(seed(), Thread.ofPlatform().daemon().name("crowd-", 0));
  }

  private static long seed() {
    String given = System.getProperty("baton.seed");
    return given == null ? System.nanoTime() : Long.parseLong(given);
  }

  /** Each thread does its deed again and again until the time is up. */
  void runFor(int size, Duration time, Deed deed) {
    run(size, Integer.MAX_VALUE, time, deed);
  }

  /** Each thread does its deed so many times. An interrupted deed counts. */
  void runTimes(int size, int times, Deed deed) {
    run(size, times, PATIENCE, deed);
  }

  private void run(int size, int times, Duration time, Deed deed) {
    CountDownLatch running = new CountDownLatch(size);
    for (int i = 0; i < size; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      int index = i;
      threads.add(builder.unstarted(() -> live(index, times, random, deed, running)));
    }
    long start = System.nanoTime();
    threads.forEach(Thread::start);
    SplittableRandom random = new SplittableRandom(~seed);
    while (System.nanoTime() - start < time.toNanos() && failure.get() == null && running.getCount() > 0) {
      for (int i = 0; i < 10; i++) {
        threads.get(random.nextInt(size)).interrupt();
      }
      await(running, Duration.ofMillis(1));
    }
    over = true;
    boolean allGone = await(running, failure.get() == null ? PATIENCE : BRIEFLY);
    if (failure.get() != null) {
      throw failed("A thread failed", failure.get());
    }
    if (!allGone) {
      throw failed("Not all threads came to an end; here they stand:\n" + dump(), null);
    }
  }

  /** Requires that {@code condition} comes true soon. */
  void requireSoon(BooleanSupplier condition, Supplier<?> state) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw failed("Wrong at the end: " + state.get(), null);
      }
      Thread.onSpinWait();
    }
  }

  private void live(int index, int times, SplittableRandom random, Deed deed, CountDownLatch running) {
    try {
      for (int i = 0; i < times && !over && failure.get() == null; i++) {
        try {
          deed.run(index, random);
        } catch (InterruptedException expected) {
          // on with the next
        }
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    } finally {
      running.countDown();
    }
  }

  private static boolean await(CountDownLatch running, Duration time) {
    try {
      return running.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private AssertionError failed(String what, @Nullable Throwable cause) {
    return new AssertionError(what + "\nSame random choices again: -Dbaton.seed=" + seed, cause);
  }

  private String dump() {
    StringBuilder all = new StringBuilder();
    threads.stream()
        .filter(Thread::isAlive)
        .limit(20)
        .forEach(
            t -> {
              all.append(t.getName()).append(' ').append(t.getState()).append('\n');
              for (StackTraceElement frame : t.getStackTrace()) {
                all.append("    ").append(frame).append('\n');
              }
            });
    return all.toString();
  }
}
