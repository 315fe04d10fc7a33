// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.WAITING;

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
public abstract class WaitQueue extends RequestList implements Line {
  private static final VarHandle LOCKED = Fields.find(MethodHandles.lookup(), "locked", boolean.class);

  private volatile boolean locked;

  /** Decided in this critical section, in order, linked through themselves, to be woken after it. */
  private @Nullable Request decided;

  /** The last of them, if they are several. */
  private @Nullable Request lastDecided;

  /** An empty queue. */
  protected WaitQueue() {}

  // ---- waiting ----

  /**
   * Waits for the outcome of a request of the calling task that stands in this queue. A wait that ends early leaves the queue:
   * an interrupt gives up what was granted meanwhile, a time-out keeps it.
   *
   * @return the outcome, or INTERRUPTED or TIMED_OUT
   */
  public final int await(Request request, Object blocker, boolean interruptible, long nanos) {
    // Written out in both: what is called here stands on the stack of everybody who sleeps.
    int outcome;
    try {
      outcome = request.await(blocker, interruptible, nanos);
    } catch (Throwable failure) {
      throw leaveAfter(failure, request);
    }
    if (outcome >= WAITING) {
      return outcome;
    }
    if (outcome == INTERRUPTED) {
      leave(request);
      return INTERRUPTED;
    }
    // Timed out: what was decided before we could leave stands.
    return cancel(request) ? outcome : request.outcome();
  }

  /**
   * Like {@link #await}, for an outcome that cannot be given up any more: what was decided stands, and the interrupt that came
   * beside it stays pending.
   */
  public final int awaitDelivery(Request request, Object blocker, boolean interruptible, long nanos) {
    int outcome;
    try {
      outcome = request.await(blocker, interruptible, nanos);
    } catch (Throwable failure) {
      throw leaveAfter(failure, request);
    }
    if (outcome >= WAITING || cancel(request)) {
      return outcome;
    }
    if (outcome == INTERRUPTED) {
      Thread.currentThread().interrupt();
    }
    return request.outcome();
  }

  private RuntimeException leaveAfter(Throwable failure, Request request) {
    try {
      leave(request);
    } catch (Throwable further) {
      Failures.join(failure, further);
    }
    throw Failures.<RuntimeException>rethrow(failure);
  }

  /** Takes {@code request} out of the queue; the next one is considered in the same step. False: it was decided before. */
  public final boolean cancel(Request request) {
    return cancel(request, null);
  }

  @Override
  public final boolean cancel(Request request, @Nullable Runnable first) {
    lock();
    if (!request.queued || request.outcome() != WAITING) {
      unlock();
      return false;
    }
    unlink(request);
    reconsider();
    unlockAndWake(first);
    return true;
  }

  /** Takes a request out of the queue, and gives back what it was granted if that came first. */
  public final void leave(Request request) {
    if (!cancel(request) && request.goesBack()) {
      giveUp(request);
    }
  }

  /** {@code request} was decided, and whoever waited takes nothing. Called without the lock. */
  protected void giveUp(Request request) {}

  /** Somebody has left the queue. Called under the lock. */
  protected void reconsider() {}

  // ---- under the lock ----

  /** Puts {@code request} at the end of the line. */
  protected final void enqueue(Request request) {
    request.queued = true;
    if (first() == null) {
      request.markFirst();
    }
    request.announceSleep();
    append(request);
  }

  /** Puts {@code request} in front of all others. */
  protected final void enqueueFirst(Request request) {
    request.queued = true;
    request.markFirst();
    prepend(request);
  }

  /** Whose turn is next and should be awake for it: called when somebody was decided. By default nobody's. */
  protected @Nullable Request nextInLine() {
    return null;
  }

  /** Takes a request that has not been decided out of the line. */
  protected void unlink(Request request) {
    remove(request);
    request.queued = false;
  }

  /** Serves the first in line that still wants it, if there is one. */
  protected final boolean serveFirst(int outcome) {
    Request request = pollClaimed();
    if (request == null) {
      return false;
    }
    decide(request, outcome);
    return true;
  }

  /** The first in line that still wants to be served, claimed and taken out of the line; null if there is none. */
  protected final @Nullable Request pollClaimed() {
    for (Request request = poll(); request != null; request = poll()) {
      if (request.claim()) {
        return request;
      }
      request.queued = false;
    }
    return null;
  }

  /** Begins a critical section. */
  protected void lock() {
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

  /** Ends a critical section in which nobody was decided. */
  protected void unlock() {
    // Release is enough: what was written under the lock is seen by the next to take it.
    LOCKED.setRelease(this, false);
  }

  /** Decides {@code request}, which has left the queue: its links are free. */
  protected final void decide(Request request, int outcome) {
    request.decide(outcome);
    wakeLater(request);
  }

  /** {@code request}, which was decided in this critical section and has left the queue, is woken at its end. */
  protected final void wakeLater(Request request) {
    Request first = decided;
    if (first == null) {
      decided = request;
    } else {
      (lastDecided == null ? first : lastDecided).next = request;
      lastDecided = request;
    }
  }

  /** Ends the critical section, and wakes those who were decided in it. */
  protected final void unlockAndWake() {
    Request alone = decided;
    if (alone == null) {
      unlock();
    } else if (lastDecided != null) {
      unlockAndWake(null);
    } else {
      decided = null;
      unlockAndWakeAlone(alone);
    }
  }

  /**
   * Ends a critical section in which {@code alone} was decided, by {@link Request#decide}, and nobody else: the usual case, without what it takes to wake
   * several, and to remember them.
   */
  protected final void unlockAndWakeAlone(Request alone) {
    Request next = nextInLine();
    unlock();
    Throwable failure = alone.task() == null ? wake(alone, wakeEarly(next, null)) : wakeEarly(next, wake(alone, null));
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  /** Ends the critical section and wakes those who were decided; runs {@code first}, if there is one, before any callback. */
  final void unlockAndWake(@Nullable Runnable first) {
    Request chain = decided;
    Request next = chain == null ? null : nextInLine();
    if (chain != null) {
      // Not without need: it costs the garbage collector a look.
      decided = null;
      lastDecided = null;
    }
    unlock();
    Throwable failure = chain == null ? null : wakeTasks(chain, next);
    if (first != null) {
      try {
        first.run();
      } catch (Throwable t) {
        failure = Failures.join(failure, t);
      }
    }
    if (chain != null) {
      failure = wakeCallbacks(chain, failure);
    }
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  // Both wake in order, with no lock held; an error skips nobody and surfaces once. Tasks come before callbacks, which are
  // foreign code and may wait for one of those tasks.

  private static @Nullable Throwable wakeTasks(Request chain, @Nullable Request nextInLine) {
    Throwable failure = null;
    for (Request r = chain; r != null; r = r.next) {
      if (r.task() != null) {
        failure = wake(r, failure);
      }
    }
    return wakeEarly(nextInLine, failure);
  }

  private static @Nullable Throwable wakeEarly(@Nullable Request nextInLine, @Nullable Throwable failure) {
    try {
      if (nextInLine != null) {
        nextInLine.wakeEarly();
      }
      return failure;
    } catch (Throwable t) {
      return Failures.join(failure, t);
    }
  }

  private static @Nullable Throwable wakeCallbacks(Request chain, @Nullable Throwable failed) {
    Throwable failure = failed;
    for (Request r = chain, after; r != null; r = after) {
      after = r.next;
      // Whoever keeps one of them must not keep all.
      r.next = null;
      if (r.task() == null) {
        failure = wake(r, failure);
      }
    }
    return failure;
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
