// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.internal.threads.Backoff;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few dozen instructions that neither allocate, block nor run foreign code. Spun on, then yielded to; not
 * reentrant, not fair. Extended rather than held: one object less on every path.
 */
public abstract class TinyLock {
  private static final VarHandle LOCKED = lockedHandle();

  private volatile boolean locked;

  /** Unlocked. */
  protected TinyLock() {}

  /** Waits until the lock is ours. */
  protected final void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      lockContended();
    }
  }

  /** Gives the lock up. */
  protected final void unlock() {
    // Release is enough: what was written under the lock is seen by the next to take it.
    LOCKED.setRelease(this, false);
  }

  private void lockContended() {
    int attempt = 0;
    do {
      Backoff.pause(attempt++);
    } while (locked || !LOCKED.compareAndSet(this, false, true));
  }

  private static VarHandle lockedHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(TinyLock.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
