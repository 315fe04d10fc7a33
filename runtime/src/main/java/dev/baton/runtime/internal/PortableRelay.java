// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads of the JVM's own scheduler that wake each other. */
final class PortableRelay implements Relay {
  private final Thread driver = Thread.currentThread();
  private final Turn turn;
  private volatile boolean abandoned;

  PortableRelay(Turn turn) {
    this.turn = turn;
  }

  @Override
  public Thread newThread(CooperativeTask task, String name) {
    // A name costs memory, and there may be a million of them.
    Thread.Builder threads = Thread.ofVirtual();
    return (name.isEmpty() ? threads : threads.name(name)).unstarted(task);
  }

  @Override
  public void drive(CooperativeTask to) {
    give(to);
    while (turn.holder() != null && !abandoned) {
      LockSupport.park(this);
      // The driver is not a task, and an interrupt means nothing to it; with the flag set it would never sleep.
      Thread.interrupted();
    }
    turn.giveHere(null); // also from a task that does not come back
  }

  @Override
  public boolean handOver(CooperativeTask from, @Nullable CooperativeTask to) {
    boolean interrupted = putInterruptAside(from);
    give(to);
    while (turn.holder() != from) {
      // For what it waits, the task says itself: to tell the thread too costs time, and memory on the stack of all who wait.
      LockSupport.park();
      if (turn.holder() != from) {
        interrupted |= putInterruptAside(from);
      }
    }
    if (interrupted) {
      from.interruptPending = true;
    }
    return true;
  }

  /** With the flag set, park would return at once: it is put aside until the turn comes. Returns whether it was set. */
  private static boolean putInterruptAside(CooperativeTask task) {
    if (!Thread.currentThread().isInterrupted()) {
      return false;
    }
    // In this order: whoever looks for what could still wake somebody finds the message or the flag.
    task.wasInterrupted();
    return Thread.interrupted();
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
    turn.giveTo(to);
    if (to == null) {
      LockSupport.unpark(driver);
    } else if (to.started) {
      LockSupport.unpark(to.thread);
    } else {
      to.started = true;
      Objects.requireNonNull(to.thread).start();
    }
  }
}
