// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.observe.Taker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One hold of a {@link ReadLock}. */
final class ReadGuard extends ReadHold implements Guard {
  private static final VarHandle CLOSED = Fields.find(MethodHandles.lookup(), "closed", boolean.class);

  private final ReadLock lock;

  @SuppressWarnings("UnusedVariable") // through the handle
  private volatile boolean closed;

  /** Who wants to know how long it is held; null if nobody does. Set before anybody else has the guard. */
  @Nullable Object timed;

  /** How many reads of its own were written down for the task that made it, before it took one for this. */
  final int readsBefore;

  ReadGuard(ReadLock lock, int readsBefore) {
    this.lock = lock;
    this.readsBefore = readsBefore;
  }

  @Override
  public void close() {
    SwitchPoints.reach(lock.ledgerKey());
    // Compare-and-set: any thread may close it, and only one of them gives the lock up.
    if (CLOSED.compareAndSet(this, false, true)) {
      lock.release(this);
      Taker.over(timed);
    }
  }

  @Override
  public String toString() {
    return "Guard[" + lock + "]";
  }
}
