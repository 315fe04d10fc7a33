// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do random things until the time is up or one of them fails, interrupting each other now and then. All must
 * come to an end before a deadline; if not, the failure shows where they stand.
 */
final class Crowd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final long seed;
  private final Thread.Builder builder;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean over;
  private volatile boolean interruptsOver;

  private Crowd(long seed, Thread.Builder builder) {
    this.seed = seed;
    this.builder = builder;
  }

  /** One thing to do; throwing anything but InterruptedException fails the test. */
  interface Deed {
    void run(SplittableRandom random) throws Exception;
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

  /** Runs {@code deed} again and again on so many threads, then {@code end} once, then requires that all are gone. */
  void run(int size, Duration time, boolean interrupts, Deed deed, Runnable end) {
    CountDownLatch running = new CountDownLatch(size);
    for (int i = 0; i < size; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(builder.unstarted(() -> live(random, deed, running)));
    }
    long start = System.nanoTime();
    threads.forEach(Thread::start);
    SplittableRandom random = new SplittableRandom(~seed);
    while (System.nanoTime() - start < time.toNanos() && failure.get() == null) {
      if (interrupts) {
        threads.get(random.nextInt(size)).interrupt();
      }
      Thread.onSpinWait();
      pause(running, 1);
    }
    interruptsOver = true;
    over = true;
    end.run();
    if (!await(running)) {
      throw failed("Not all threads came to an end; here they stand:\n" + dump(), failure.get());
    }
    if (failure.get() != null) {
      throw failed("A thread failed", failure.get());
    }
  }

  /** Checks something at the end, naming the seed if it fails. */
  void check(boolean holds, Object state) {
    if (!holds) {
      throw failed("Wrong at the end: " + state, null);
    }
  }

  private void live(SplittableRandom random, Deed deed, CountDownLatch running) {
    try {
      while (!over && failure.get() == null) {
        try {
          deed.run(random);
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

  private static void pause(CountDownLatch running, long millis) {
    try {
      // Wakes early when all are gone.
      running.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean await(CountDownLatch running) {
    try {
      return running.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
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
