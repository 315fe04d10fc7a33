// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Hosts;
import dev.baton.host.Several;
import dev.baton.host.Waiter;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a task goes to sleep, and what wakes it: somebody, an interrupt, the time, the end of another task. */
final class Parking {
  private final Waits waits;
  private final Scheduler scheduler;
  private final RunClock clock;
  private final Inbox inbox;
  private final Aside aside;
  private final Course course;
  private final Eviction eviction;

  Parking(
      Waits waits,
      Scheduler scheduler,
      RunClock clock,
      Inbox inbox,
      Aside aside,
      Course course,
      Eviction eviction) {
    this.waits = waits;
    this.scheduler = scheduler;
    this.clock = clock;
    this.inbox = inbox;
    this.aside = aside;
    this.course = course;
    this.eviction = eviction;
  }

  /** The calling task sleeps until it is woken or interrupted. */
  void park(Waiter waiter, Object blocker) {
    CooperativeTask me = scheduler.running();
    if (mustSleep(me)) {
      sleep(me, waiter, blocker);
    }
  }

  /** Whether {@code me} has not been woken in advance, nor is interrupted. */
  static boolean mustSleep(CooperativeTask me) {
    if (me.unparked) {
      me.unparked = false;
      return false;
    }
    return !Thread.currentThread().isInterrupted();
  }

  /** Like {@link #park}, but until {@code deadline} at most. */
  void parkUntil(Waiter waiter, Object blocker, long deadline) {
    CooperativeTask me = scheduler.running();
    TimerHeap.Entry timer = new TimerHeap.Entry(deadline, () -> scheduler.makeReady(me));
    clock.add(timer);
    try {
      park(waiter, blocker);
    } finally {
      clock.remove(timer);
    }
  }

  /** The calling task sleeps until it is handed the turn; may return for no reason. */
  void sleepFor(Object blocker) {
    sleep(scheduler.running(), null, blocker);
  }

  /** The calling task sleeps, and {@code to}, which sleeps or is new, has the turn, and the interrupt that is pending, if one is. */
  void handOver(CooperativeTask to, Object blocker) {
    CooperativeTask me = scheduler.running();
    if (to.is(State.ENDED)) {
      // It was thrown out before this one, which has caught what it was thrown out with: the turn would be lost.
      throw eviction.of(me);
    }
    if (Thread.interrupted()) {
      to.interruptPending = true;
    }
    me.become(State.PARKED);
    me.blocker = blocker;
    me.since = clock.roughNanoTime();
    course.happened();
    scheduler.takeOut(to);
    // It is the same task.
    to.level = me.level;
    try {
      scheduler.switchTo(me, to);
    } finally {
      me.blocker = null;
    }
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  void sleep(CooperativeTask me, @Nullable Waiter waiter, Object blocker) {
    if (course.isAborting()) {
      throw eviction.of(me);
    }
    me.become(State.PARKED);
    me.blocker = blocker;
    me.since = clock.roughNanoTime();
    // One that waits for itself only sleeps, unless it waits for several things in its own name.
    if (waiter != null && (waiter != blocker || blocker instanceof Several)) {
      waits.begun(me);
    }
    course.happened();
    try {
      scheduler.switchTo(me, scheduler.pick(null));
    } finally {
      me.blocker = null;
    }
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  /** Wakes {@code task}, or lets its next park return at once. Called by any thread. */
  void unpark(CooperativeTask task) {
    if (scheduler.hasTurn()) {
      wake(task);
    } else {
      inbox.put(() -> wake(task));
    }
  }

  private void wake(CooperativeTask task) {
    if (task.is(State.PARKED)) {
      scheduler.makeReady(task);
    } else {
      task.unparked = true;
    }
  }

  /** Interrupts {@code task}, which wakes it, and tells all who live there to end. Called by any thread. */
  void interrupt(CooperativeTask task) {
    interruptBlock(task, null);
  }

  /**
   * Interrupts {@code task}, which wakes it, in a block of {@code owner}: whoever has moved in since is told to end, and {@code owner} is
   * not. Called by any thread.
   */
  void interruptBlock(CooperativeTask task, @Nullable Resident owner) {
    if (!scheduler.hasTurn()) {
      inbox.put(() -> interruptBlock(task, owner));
    } else if (!task.is(State.ENDED)) {
      CooperativeTask struck = atWork(task);
      Resident told = struck.resident;
      if (owner == null && isKeptForLater(told)) {
        return;
      }
      for (; told != null && told != owner; told = told.outer()) {
        told.interrupted();
      }
      if (told != null) {
        told.blockInterrupted();
      }
      strike(struck);
    }
  }

  private static boolean isKeptForLater(@Nullable Resident innermost) {
    boolean kept = false;
    for (Resident each = innermost; each != null && !kept; each = each.outer()) {
      kept = each.keepsForLater();
    }
    return kept;
  }

  /** Interrupts {@code task}, which wakes it, in a block of whoever lives there. Called by any thread. */
  void interruptBlock(CooperativeTask task) {
    if (scheduler.hasTurn()) {
      interruptBlock(task, atWork(task).resident);
    } else {
      inbox.put(() -> interruptBlock(task));
    }
  }

  /** The calling task, which waits for {@code active} to work for it, was interrupted as a thread: that is passed on. */
  void passInterrupt(CooperativeTask active) {
    strike(atWork(active));
  }

  /**
   * Who works for {@code task} at present, and does not only wait for another thread of it: that one has no use for an interrupt, and
   * would be woken by it for nothing, again and again.
   */
  private static CooperativeTask atWork(CooperativeTask task) {
    CooperativeTask found = task;
    for (Resident resident = found.resident; resident != null; resident = found.resident) {
      CooperativeTask active = resident.active();
      if (active == found || active.is(State.ENDED)) {
        break;
      }
      found = active;
    }
    return found;
  }

  private void strike(CooperativeTask task) {
    if (task == scheduler.current() && !aside.isInside()) {
      Thread.currentThread().interrupt();
    } else if (task.is(State.OUTSIDE)) {
      Objects.requireNonNull(task.thread).interrupt();
    } else {
      task.interruptPending = true;
      if (task.is(State.PARKED)) {
        // When everybody is to end, it is thrown out like the one who interrupts it: what it does then is to clean up.
        task.unwinding |= course.isAborting();
        scheduler.makeReady(task);
      }
    }
  }

  /** Waits, ignoring interrupts, until {@code task} and its thread are gone. Called by any thread. */
  void awaitEnd(CooperativeTask task) {
    if (!scheduler.hasTurn()) {
      Hosts.threads().awaitEnd(Objects.requireNonNull(task.thread));
      return;
    }
    boolean interrupted = Thread.interrupted();
    CooperativeTask me = scheduler.running();
    if (!task.is(State.ENDED)) {
      // Once, however often it is woken before: the list leads from one to the next through the tasks themselves.
      me.nextJoiner = task.firstJoiner;
      task.firstJoiner = me;
    }
    while (!task.is(State.ENDED)) {
      sleep(me, null, task);
      interrupted |= Thread.interrupted();
    }
    // It has given up its turn for good, so its thread is a few instructions from its end.
    Hosts.threads().awaitEnd(Objects.requireNonNull(task.thread));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
