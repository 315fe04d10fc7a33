// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Engine;
import dev.baton.runtime.Stall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs drivers on a thread of their own, while the caller watches: a task that has the turn and waits outside of Baton, or computes
 * for ever, cannot be seen by anybody who waits for that turn.
 */
public final class Watch {
  /** One that computes may be about to come back: it is given so many times longer. */
  private static final int COMPUTING = 10;

  private final Engine engine;
  private final Duration stallAfter;
  private final boolean abandons;
  private final Consumer<Stall> onStall;
  private volatile @Nullable CooperativeHost host;

  /** If {@code abandons}, a run that stalls is given up; otherwise somebody is only told. */
  public Watch(Engine engine, Duration stallAfter, boolean abandons, Consumer<Stall> onStall) {
    this.engine = engine;
    this.stallAfter = stallAfter;
    this.abandons = abandons;
    this.onStall = onStall;
  }

  /** Called by the driver: from now on this is the run to watch. */
  public void observe(CooperativeHost running) {
    host = running;
  }

  /**
   * Runs {@code work}, which drives one run after the other, and returns when it has returned. While it waits, {@code meanwhile} is
   * called now and then. An interrupt of the caller is passed on to {@code onInterrupt}, and pending again on return.
   *
   * @return null, or how the present run stalled in such a way that {@code work} cannot return
   */
  public @Nullable Stall run(Runnable work, Runnable meanwhile, Consumer<@Nullable CooperativeHost> onInterrupt) {
    Worker worker = start(work);
    Duration interval = Duration.ofNanos(Math.min(stallAfter.toNanos() / 4 + 1, 200_000_000L));
    Sample sample = new Sample();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (worker.ends(interval)) {
            return null;
          }
        } catch (InterruptedException e) {
          interrupted = true;
          onInterrupt.accept(host);
        }
        meanwhile.run();
        Stall stall = sample.take();
        if (stall != null && abandons) {
          return worker.ends(Duration.ofSeconds(1)) ? null : stall;
        }
      }
    } catch (InterruptedException e) {
      interrupted = true;
      return new Stall("", "was interrupted while it was being given up", Duration.ZERO, List.of());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whoever does the work. */
  @FunctionalInterface
  private interface Worker {
    /** Whether it ends within {@code time}. */
    boolean ends(Duration time) throws InterruptedException;
  }

  private Worker start(Runnable work) {
    if (engine != Engine.STEPPED) {
      return Thread.ofVirtual().name("baton-driver").start(work)::join;
    }
    if (abandons) {
      // It may never come back, and is not for anybody else.
      return Thread.ofPlatform().daemon().name("baton-loop").start(work)::join;
    }
    CountDownLatch done = Loop.start(work);
    return time -> done.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** What was seen last. */
  private final class Sample {
    private @Nullable CooperativeHost seen;
    private long progress;
    private long since;
    private long told;

    @Nullable Stall take() {
      CooperativeHost now = host;
      if (now != null) {
        now.lookAtTheClock();
      }
      long time = System.nanoTime();
      if (now == null || now != seen || now.progress() != progress) {
        seen = now;
        progress = now == null ? 0 : now.progress();
        since = time;
        told = 0;
        return null;
      }
      long lasted = time - since;
      if (lasted - told < stallAfter.toNanos()) {
        return null;
      }
      Stall stall = now.stallOfCurrent(lasted);
      if (stall == null || (stall.isComputing() && lasted < COMPUTING * stallAfter.toNanos())) {
        return null;
      }
      told = lasted;
      if (abandons) {
        now.abandon(stall);
      } else {
        onStall.accept(stall);
      }
      return stall;
    }
  }
}
