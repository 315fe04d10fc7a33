// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads on a loop of our own, the driver, which must be a platform thread.
 *
 * <p>A task that gives up its turn says so and goes to sleep, which returns to the loop. One that sleeps without saying so
 * waits outside of Baton: the scheduler is asked who is next, and the task stands aside until its thread could go on.
 */
final class SteppedRelay implements Relay {
  private final Turn turn;
  private final Scheduler scheduler;
  private final Naps naps = new Naps();

  /** Whether the task that has returned to the loop gave up its turn. */
  private boolean handed;

  /** Whose thread the loop is in, or was last; null if it is in none for longer than a moment. Read by whoever watches. */
  private @Nullable CooperativeTask mounted;

  SteppedRelay(Turn turn, Scheduler scheduler) {
    this.turn = turn;
    this.scheduler = scheduler;
  }

  @Override
  public Thread newThread(CooperativeTask task, String name) {
    // A name costs memory, and there may be a million of them.
    return SteppedThreads.newThread(task, name, task);
  }

  @Override
  public boolean handOver(CooperativeTask from, @Nullable CooperativeTask to) {
    handed = true;
    turn.giveHere(to);
    if (from.is(CooperativeTask.State.PARKED)) {
      int bed = to == null ? Naps.NONE : naps.begin(from);
      boolean inTime = bed != Naps.NONE && yields(from);
      if (bed != Naps.NONE) {
        naps.end(bed, inTime);
      }
      if (!inTime) {
        sleep(from);
      }
    } else if (!yields(from)) {
      handed = false;
      turn.giveHere(from);
      return false;
    }
    return true;
  }

  /** Returns to the loop, which runs {@code from} on at once if it likes. False: it does not have the turn, or is pinned. */
  @SuppressWarnings("ThreadPriorityCheck") // yield is what returns to the loop
  private boolean yields(CooperativeTask from) {
    from.expected = true;
    Thread.yield();
    boolean hasTurn = turn.holder() == from;
    if (!hasTurn) {
      from.expected = false;
    }
    return hasTurn;
  }

  /** Returns to the loop until {@code from} has the turn. */
  private void sleep(CooperativeTask from) {
    boolean interrupted = false;
    while (turn.holder() != from) {
      if (Thread.currentThread().isInterrupted()) {
        // With the flag set, park would return at once: it is put aside until the turn comes. In this order: whoever looks for what
        // could still wake somebody finds the message or the flag.
        scheduler.couldGoOn(from);
        interrupted = Thread.interrupted();
      }
      // For what it waits, the task says itself: to tell the thread too costs time, and memory on the stack of all who wait.
      LockSupport.park();
    }
    if (interrupted) {
      from.interruptPending = true;
    }
  }

  @Override
  public void end(CooperativeTask from, @Nullable CooperativeTask to) {
    handed = true;
    turn.giveHere(to);
  }

  @Override
  public void drive(CooperativeTask to) {
    for (CooperativeTask task = to; task != null; ) {
      run(task);
      if (handed) {
        handed = false;
        // Whoever gave the turn has said whose it is.
        task = turn.holder();
      } else {
        mounted = null;
        task = scheduler.wentOutside(task);
      }
      if (naps.areDue()) {
        putToSleep(naps.takeLong(), task);
      }
    }
    putToSleep(naps.all(), null);
    mounted = null;
  }

  @Override
  public boolean wakesInterrupted() {
    boolean woken = false;
    for (int left = naps.all(); left != 0; left &= left - 1) {
      CooperativeTask task = naps.in(Integer.numberOfTrailingZeros(left));
      if (task.is(CooperativeTask.State.PARKED) && Objects.requireNonNull(task.thread).isInterrupted()) {
        scheduler.makeReady(task);
        woken = true;
      }
    }
    return woken;
  }

  @Override
  public void staysWithHolder() {
    if (naps.areToBeSeen()) {
      wakesInterrupted();
    }
  }

  /** Has those who nap in {@code beds} go to sleep; not {@code next}, whose turn it is. */
  private void putToSleep(int beds, @Nullable CooperativeTask next) {
    for (int left = beds; left != 0; left &= left - 1) {
      CooperativeTask task = naps.in(Integer.numberOfTrailingZeros(left));
      if (task != next) {
        goOn(task, Objects.requireNonNull(task.continuation()));
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // a foreign thread is a few instructions away
  private void run(CooperativeTask task) {
    Thread thread = Objects.requireNonNull(task.thread);
    Runnable continuation = task.continuation();
    if (continuation == null) {
      task.expected = true;
      if (task.started) {
        LockSupport.unpark(thread);
      } else {
        task.started = true;
        thread.start();
      }
      for (continuation = task.continuation(); continuation == null; continuation = task.continuation()) {
        // A foreign thread has woken it in this very moment, and is about to say so.
        Thread.onSpinWait();
      }
      // If it was the foreign one, ours has caused nothing, and what comes next is not expected.
      task.expected = false;
    }
    if (turn.holder() != task) {
      turn.giveHere(task);
    }
    goOn(task, continuation);
  }

  private void goOn(CooperativeTask task, Runnable continuation) {
    task.takeContinuation();
    mounted = task;
    continuation.run();
  }

  @Override
  public @Nullable CooperativeTask pinned() {
    return mounted;
  }

  @Override
  public void abandon() {
    // The loop is inside the task that does not come back: there is nothing to return from.
  }
}
