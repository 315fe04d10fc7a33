// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A platform thread that drives stepped runs, one at a time. To start one and to see it end takes longer than a small run; so one of
 * them stays for a moment after its run, and drives the next one if that comes in time.
 *
 * <p>Nobody can tell whether it is a new one: whoever has something that a new thread would inherit gets a new thread, which does not
 * stay.
 */
final class Loop implements Runnable {
  private static final long STAYS_NANOS = 100_000_000;

  /** The one that stays, if one does. */
  private static final AtomicReference<@Nullable Loop> IDLE = new AtomicReference<>();

  private final Thread thread = Thread.ofPlatform().daemon().name("baton-loop").unstarted(this);
  private final boolean mayStay;
  private volatile @Nullable Work next;

  /** What to do, in whose context, and that it is done. */
  private record Work(Runnable body, @Nullable ClassLoader context, CountDownLatch done) {}

  private Loop(Work first, boolean mayStay) {
    this.next = first;
    this.mayStay = mayStay;
  }

  /** Has {@code body} run by a loop. What is returned is counted down when it has ended. */
  static CountDownLatch start(Runnable body) {
    Work work = new Work(body, Thread.currentThread().getContextClassLoader(), new CountDownLatch(1));
    boolean inheritsNothing = SteppedThreads.bequeathsNothing(Thread.currentThread());
    Loop idle = inheritsNothing ? IDLE.getAndSet(null) : null;
    if (idle == null) {
      new Loop(work, inheritsNothing).thread.start();
    } else {
      idle.next = work;
      LockSupport.unpark(idle.thread);
    }
    return work.done();
  }

  @Override
  public void run() {
    for (Work work = next; work != null; work = stay()) {
      boolean stays = false;
      try {
        thread.setContextClassLoader(work.context());
        work.body().run();
        stays = mayStay && becomeIdle();
      } finally {
        // After it has become idle: whoever waits for this may have the next run at once.
        work.done().countDown();
      }
      if (!stays) {
        return;
      }
    }
  }

  private boolean becomeIdle() {
    next = null;
    // Of the run before: the next one may come before this has slept.
    Thread.interrupted();
    thread.setContextClassLoader(null);
    return IDLE.compareAndSet(null, this);
  }

  /** What to do next; null if nothing has come for a while, and nothing will. */
  private @Nullable Work stay() {
    long end = System.nanoTime() + STAYS_NANOS;
    while (next == null) {
      long left = end - System.nanoTime();
      if (left <= 0 && IDLE.compareAndSet(this, null)) {
        return null;
      }
      // If somebody else has taken it out, that one is about to say what for.
      LockSupport.parkNanos(this, left > 0 ? left : STAYS_NANOS);
      // Left from the run before, if it is set: with it, this would never sleep.
      Thread.interrupted();
    }
    return next;
  }
}
