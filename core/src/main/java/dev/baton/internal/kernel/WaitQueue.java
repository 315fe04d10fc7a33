// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.internal.fields.Fields;
import dev.baton.internal.threads.Backoff;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, under a small lock, and those whose wait was decided in the present critical section.
 *
 * <p>The lock is for a few dozen instructions that neither allocate, block nor run foreign code. It is spun on, then yielded
 * to; it is neither reentrant nor fair. All of it is inherited, not held: whoever takes the lock on another core fetches one
 * object, not three.
 */
abstract class WaitQueue extends RequestList {
  private static final VarHandle LOCKED = Fields.find(MethodHandles.lookup(), "locked", boolean.class);

  private volatile boolean locked;

  /** Decided in this critical section, in order, linked through themselves, to be woken after it. */
  private @Nullable Request decided;

  private @Nullable Request lastDecided;

  final void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      lockContended();
    }
  }

  private void lockContended() {
    int attempt = 0;
    do {
      Backoff.pause(attempt++);
    } while (locked || !LOCKED.compareAndSet(this, false, true));
  }

  final void unlock() {
    // Release is enough: what was written under the lock is seen by the next to take it.
    LOCKED.setRelease(this, false);
  }

  /** Decides {@code request}, which has left the queue: its links are free. */
  final void decide(Request request, int outcome) {
    if (lastDecided == null) {
      decided = request;
    } else {
      lastDecided.next = request;
    }
    lastDecided = request;
    request.decide(outcome);
  }

  /** Ends the critical section, and wakes those who were decided in it. */
  final void unlockAndWake() {
    unlockAndWake(null);
  }

  /** Ends the critical section, runs {@code first} if there is one, and wakes those who were decided. */
  final void unlockAndWake(@Nullable Runnable first) {
    Request chain = decided;
    Request next = chain == null ? null : first();
    decided = null;
    lastDecided = null;
    unlock();
    try {
      if (first != null) {
        first.run();
      }
    } finally {
      if (chain != null) {
        wake(chain, next);
      }
    }
  }

  /**
   * Wakes in order, with no lock held; an error skips nobody and surfaces once. Tasks come before callbacks, which are foreign
   * code and may wait for one of those tasks.
   */
  private static void wake(Request chain, @Nullable Request nextInLine) {
    Throwable failure = null;
    for (Request r = chain; r != null; r = r.next) {
      if (r.task() != null) {
        failure = wake(r, failure);
      }
    }
    if (nextInLine != null) {
      nextInLine.wakeEarly();
    }
    for (Request r = chain, after; r != null; r = after) {
      after = r.next;
      // Whoever keeps one of them must not keep all.
      r.next = null;
      if (r.task() == null) {
        failure = wake(r, failure);
      }
    }
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  private static @Nullable Throwable wake(Request request, @Nullable Throwable failure) {
    try {
      request.wake();
      return failure;
    } catch (Throwable t) {
      return Failures.join(failure, t);
    }
  }
}
