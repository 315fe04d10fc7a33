// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens once, with a result, and those who wait for it.
 *
 * <pre>
 *   null ◀──▶ a request ──▶ a {@link Crowd} of them
 *     │           │              │
 *     └───────────┴──────────────┴──complete(r)──▶ r, all waiters GRANTED      later ones do not wait
 * </pre>
 *
 * <p>Most are waited for by one or by nobody, and there are as many of them as there are tasks. So it is one field, and one exchange
 * to come, to leave or to complete; a queue is made when a second one comes.
 */
public class Completion implements Line {
  private static final VarHandle STATE = Fields.find(MethodHandles.lookup(), "state", Object.class);

  /** The result, which is neither a request nor a crowd, or whoever waits for it. A crowd stays until the result comes. */
  private volatile @Nullable Object state;

  /** Not completed. */
  public Completion() {}

  /** Sets the result and wakes all who wait, in the order in which they came. False: it was set before; nothing changes. */
  public final boolean complete(Object result) {
    while (true) {
      Object now = state;
      if (now instanceof Crowd crowd) {
        return crowd.complete(result);
      }
      if (now != null && !(now instanceof Request)) {
        return false;
      }
      if (STATE.compareAndSet(this, now, result)) {
        if (now != null) {
          serve((Request) now);
        }
        return true;
      }
    }
  }

  private static void serve(Request alone) {
    if (alone.claim()) {
      alone.decide(GRANTED);
      alone.wake();
    }
  }

  /** The result, or null if there is none yet. */
  public final @Nullable Object resultOrNull() {
    Object now = state;
    return standsForWaiting(now) ? null : now;
  }

  /** Whether {@code state} is not a result: it is known by its class, and no result may be of that. */
  protected static boolean standsForWaiting(@Nullable Object state) {
    return state instanceof Request || state instanceof Crowd;
  }

  /** Waits until completed. GRANTED, INTERRUPTED or TIMED_OUT. */
  public final int await(Object blocker, boolean interruptible, long nanos) {
    if (resultOrNull() != null) {
      return GRANTED;
    }
    if (nanos == 0) {
      return TIMED_OUT;
    }
    Request request = new Request(0);
    if (register(request) == GRANTED) {
      return GRANTED;
    }
    int outcome;
    try {
      outcome = request.await(blocker, interruptible, nanos);
    } catch (Throwable failure) {
      cancel(request);
      throw failure;
    }
    if (outcome == INTERRUPTED) {
      cancel(request);
    } else if (outcome == TIMED_OUT && !cancel(request)) {
      // Only a result could be in the way.
      outcome = GRANTED;
    }
    return outcome;
  }

  /** Lets {@code request} wait: WAITING, or GRANTED if completed. */
  public final int register(Request request) {
    while (true) {
      Object now = state;
      if (now == null) {
        request.markFirst();
        request.announceSleep();
        if (STATE.compareAndSet(this, null, request)) {
          return WAITING;
        }
      } else if (now instanceof Request alone) {
        Crowd crowd = new Crowd();
        crowd.lock();
        if (STATE.compareAndSet(this, alone, crowd)) {
          crowd.enqueue(alone);
          crowd.enqueue(request);
          crowd.unlock();
          return WAITING;
        }
      } else {
        return now instanceof Crowd crowd && crowd.add(request) ? WAITING : GRANTED;
      }
    }
  }

  /** Takes {@code request} out. False: it was decided before. */
  public final boolean cancel(Request request) {
    return cancel(request, null);
  }

  @Override
  public final boolean cancel(Request request, @Nullable Runnable first) {
    while (true) {
      Object now = state;
      if (now instanceof Crowd crowd) {
        return crowd.cancel(request, first);
      }
      if (now != request) {
        return false;
      }
      if (STATE.compareAndSet(this, request, null)) {
        if (first != null) {
          first.run();
        }
        return true;
      }
    }
  }

  /** How many wait. */
  public final int waiting() {
    Object now = state;
    return now instanceof Crowd crowd ? crowd.count() : now instanceof Request ? 1 : 0;
  }

  /** More than one who wait, or who have waited. */
  private final class Crowd extends WaitQueue {

    /** Sets the result and wakes all. Under the lock, so that nobody is added after it. */
    private boolean complete(Object result) {
      lock();
      if (state != this) {
        unlock();
        return false;
      }
      // Release: the lock and each waiter's outcome order it for those who wait; others see the object as it was made.
      STATE.setRelease(Completion.this, result);
      while (serveFirst(GRANTED)) {
        // each in turn
      }
      unlockAndWake();
      return true;
    }

    /** False: completed. */
    private boolean add(Request request) {
      lock();
      boolean waits = state == this;
      if (waits) {
        enqueue(request);
      }
      unlock();
      return waits;
    }

    private int count() {
      lock();
      int waiting = size();
      unlock();
      return waiting;
    }
  }
}
