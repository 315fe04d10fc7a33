// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What comes from threads that do not have the turn: any of them may put something in, and whoever has the turn takes it out. While
 * nobody can go on, the driver sleeps here.
 */
final class Inbox {
  private final Queue<Runnable> messages = new ConcurrentLinkedQueue<>();
  private final Thread driver = Thread.currentThread();

  /** Set while the driver sleeps: whoever puts something in has to wake it. */
  private volatile boolean driverSleeps;

  /** Called by any thread: {@code message} is to be run by whoever has the turn. */
  void put(Runnable message) {
    messages.add(message);
    if (driverSleeps) {
      LockSupport.unpark(driver);
    }
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** The oldest message, taken out, or null. */
  @Nullable Runnable poll() {
    return messages.poll();
  }

  /** Called by the driver: sleeps until something may be there, {@code nanos} at most. */
  void sleep(long nanos) {
    driverSleeps = true;
    if (messages.isEmpty() && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
      // The driver is not a task, and an interrupt means nothing to it; with the flag set it would never sleep.
      Thread.interrupted();
    }
    driverSleeps = false;
  }
}
