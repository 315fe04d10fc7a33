// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.GRANTED;
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
 *   result = null ──complete(r)──▶ result = r, all waiters GRANTED      later ones do not wait
 * </pre>
 */
public class Completion extends WaitQueue {
  private static final VarHandle RESULT = Fields.find(MethodHandles.lookup(), "result", Object.class);

  /** Written once, under the lock, before anybody is told. */
  private volatile @Nullable Object result;

  /** Not completed. */
  public Completion() {}

  /** Sets the result and wakes all who wait, in the order in which they came. False: it was set before; nothing changes. */
  public final boolean complete(Object newResult) {
    lock();
    if (result != null) {
      unlock();
      return false;
    }
    // Release: the lock and each waiter's outcome order it for those who wait; others see the object as it was made.
    RESULT.setRelease(this, newResult);
    while (serveFirst(GRANTED)) {
      // each in turn
    }
    unlockAndWake();
    return true;
  }

  /** The result, or null if there is none yet. */
  public final @Nullable Object resultOrNull() {
    return result;
  }

  /** Waits until completed. GRANTED, INTERRUPTED or TIMED_OUT. */
  public final int await(Object blocker, boolean interruptible, long nanos) {
    if (result != null) {
      return GRANTED;
    }
    if (nanos == 0) {
      return TIMED_OUT;
    }
    Request request = new Request(0);
    int outcome = register(request);
    return outcome == WAITING ? await(request, blocker, interruptible, nanos) : outcome;
  }

  /** Lets {@code request} wait: WAITING, or GRANTED if completed. */
  public final int register(Request request) {
    lock();
    if (result != null) {
      unlock();
      return GRANTED;
    }
    enqueue(request);
    unlock();
    return WAITING;
  }

  /** How many wait. */
  public final int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }
}
