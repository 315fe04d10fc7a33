// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What comes from threads that do not have the turn: any of them may put something in, and whoever has the turn takes it out. While
 * nobody can go on, the driver sleeps here.
 *
 * <p>A stack, so that to find it empty is one read: that is done at every switch, and putting something in is rare.
 */
final class Inbox {
  private static final VarHandle NEWEST;

  static {
    try {
      NEWEST = MethodHandles.lookup().findVarHandle(Inbox.class, "newest", Message.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread driver = Thread.currentThread();
  private volatile @Nullable Message newest;

  /** Set while the driver sleeps: whoever puts something in has to wake it. */
  private volatile boolean driverSleeps;

  /** Something to do for whoever has the turn. */
  static final class Message {
    private final Runnable action;

    /** The one that came before; once taken out, the one that came after. */
    private @Nullable Message next;

    private Message(Runnable action) {
      this.action = action;
    }

    Runnable action() {
      return action;
    }

    @Nullable Message next() {
      return next;
    }
  }

  /** Called by any thread: {@code action} is to be run by whoever has the turn. */
  void put(Runnable action) {
    Message message = new Message(action);
    Message before;
    do {
      before = newest;
      message.next = before;
    } while (!NEWEST.compareAndSet(this, before, message));
    if (driverSleeps) {
      LockSupport.unpark(driver);
    }
  }

  boolean isEmpty() {
    return newest == null;
  }

  /** Empties it. Returns the oldest message, which leads to the next; null if there is none. */
  @Nullable Message takeAll() {
    Message taken = (Message) NEWEST.getAndSet(this, null);
    Message oldest = null;
    while (taken != null) {
      Message before = taken.next;
      taken.next = oldest;
      oldest = taken;
      taken = before;
    }
    return oldest;
  }

  /** Called by the driver: sleeps until something may be there, {@code nanos} at most. */
  void sleep(long nanos) {
    driverSleeps = true;
    if (isEmpty() && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
      // The driver is not a task, and an interrupt means nothing to it; with the flag set it would never sleep.
      Thread.interrupted();
    }
    driverSleeps = false;
  }
}
