// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How far the cores are from each other before and after each iteration: what it takes until one sees what the other has written.
 *
 * <p>On a virtual machine that is no constant. Its cores are moved among those of the real one, from one second to the next, and may have
 * a cache in common or not. What passes between two of them then takes several times as long, whoever does it.
 *
 * <p>Where the cache that all cores share is spread over the chip, it also matters where a line of it has its home, by up to a factor of two; that stays
 * as it is, and says nothing of the cores. So it is measured with several lines, and the mean is taken.
 */
public final class CoreDistance implements InternalProfiler {
  /** The names of the results, in nanoseconds; negative if the two that measure were never at work together. */
  public static final String BEFORE = "coreDistanceBefore";

  public static final String AFTER = "coreDistanceAfter";

  private static final int HOPS_PER_BATCH = 100;
  private static final int BATCHES = 8;
  private static final int LINES = 16;

  /** A batch that has not ended by then never will: one of the two is off its core. */
  private static final long BATCH_NANOS = 300_000;

  private static final long PATIENCE_NANOS = 300_000_000;

  private double before = -1;

  @Override
  public String getDescription() {
    return "time for a value to get from one core to the other";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = measure();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return List.of(
        new ScalarResult(BEFORE, before, "ns", AggregationPolicy.AVG), new ScalarResult(AFTER, measure(), "ns", AggregationPolicy.AVG));
  }

  static double measure() {
    Ball[] balls = new Ball[LINES];
    for (int i = 0; i < LINES; i++) {
      balls[i] = new Ball();
    }
    Thread other = Thread.ofPlatform().daemon().name("core-distance").start(() -> returnAll(balls));
    long end = System.nanoTime() + PATIENCE_NANOS;
    double sum = 0;
    int known = 0;
    for (Ball ball : balls) {
      double least = leastOf(ball, end);
      ball.set(Ball.STOPPED);
      if (least > 0) {
        sum += least;
        known++;
      }
    }
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return known == 0 ? -1 : sum / known;
  }

  /** The least of several batches: others may be at work, and it is they who are measured. Negative if there was none. */
  private static double leastOf(Ball ball, long end) {
    double least = -1;
    for (int batch = 0; batch < BATCHES && System.nanoTime() < end; ) {
      double hop = ball.play();
      if (hop > 0) {
        least = least < 0 ? hop : Math.min(least, hop);
        batch++;
      } else {
        pause();
      }
    }
    return least;
  }

  private static void returnAll(Ball[] balls) {
    for (Ball ball : balls) {
      ball.returnAll();
    }
  }

  /** Whoever wakes is given a core, and mostly not the one where somebody else is at work. */
  private static void pause() {
    LockSupport.parkNanos(BATCH_NANOS);
  }

  /** A number that two threads count up by turns: one makes it odd, the other even. */
  private static final class Ball extends AtomicLong {
    private static final long serialVersionUID = 1;
    static final long STOPPED = -1;
    private static final int LOOKS_PER_CLOCK_READING = 1_000;

    /** Keeps the next one off this one's line; never read. */
    @SuppressWarnings("unused")
    private final transient long[] apart = new long[31];

    /** Nanoseconds for a hop; negative if there were not enough of them in time. */
    double play() {
      long start = System.nanoTime();
      for (int i = 0; i < HOPS_PER_BATCH; i += 2) {
        long now = get();
        // Odd if the last batch was given up.
        long next = now + (now & 1) + 2;
        set(next - 1);
        for (int looks = 1; getAcquire() != next; looks++) {
          if (looks % LOOKS_PER_CLOCK_READING == 0 && System.nanoTime() - start > BATCH_NANOS) {
            return -1;
          }
        }
      }
      return (double) (System.nanoTime() - start) / HOPS_PER_BATCH;
    }

    void returnAll() {
      long since = System.nanoTime();
      int looks = 0;
      for (long now = get(); now != STOPPED; now = getAcquire()) {
        if ((now & 1) == 1) {
          compareAndSet(now, now + 1);
        }
        if (++looks % LOOKS_PER_CLOCK_READING == 0 && System.nanoTime() - since > BATCH_NANOS) {
          pause();
          since = System.nanoTime();
        }
      }
    }
  }
}
