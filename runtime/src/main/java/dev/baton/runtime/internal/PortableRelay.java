// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads of the JVM's own scheduler that wake each other. */
final class PortableRelay implements Relay {
  private final Thread driver = Thread.currentThread();
  private volatile boolean driversTurn;
  private volatile boolean abandoned;

  @Override
  public Thread newThread(CooperativeTask task) {
    // A name costs memory, and there may be a million of them.
    Thread.Builder threads = Thread.ofVirtual();
    return (task.isNamed() ? threads.name(task.name()) : threads).unstarted(task);
  }

  @Override
  public void drive(CooperativeTask to) {
    give(to);
    while (!driversTurn && !abandoned) {
      LockSupport.park(this);
      // The driver is not a task, and an interrupt means nothing to it; with the flag set it would never sleep.
      Thread.interrupted();
    }
    driversTurn = false;
  }

  @Override
  public boolean handOver(CooperativeTask from, @Nullable CooperativeTask to) {
    // With the flag set, park would return at once: it is put aside until the turn comes.
    boolean interrupted = Thread.interrupted();
    Object blocker = from.blocker;
    give(to);
    while (!from.hasTurn()) {
      if (blocker == null) {
        // To say for what it waits costs two writes, and it waits only for its turn.
        LockSupport.park();
      } else {
        LockSupport.park(blocker);
      }
      if (!from.hasTurn() && Thread.currentThread().isInterrupted()) {
        // In this order: whoever looks for what could still wake somebody finds the message or the flag.
        from.wasInterrupted();
        interrupted = Thread.interrupted();
      }
    }
    from.takeTurn();
    if (interrupted) {
      from.interruptPending = true;
    }
    return true;
  }

  @Override
  public void end(CooperativeTask from, @Nullable CooperativeTask to) {
    give(to);
  }

  @Override
  public void abandon() {
    abandoned = true;
    LockSupport.unpark(driver);
  }

  private void give(@Nullable CooperativeTask to) {
    if (to == null) {
      driversTurn = true;
      LockSupport.unpark(driver);
      return;
    }
    Thread thread = Objects.requireNonNull(to.thread);
    if (to.started) {
      to.giveTurn();
      LockSupport.unpark(thread);
    } else {
      to.started = true;
      thread.start();
    }
  }
}
