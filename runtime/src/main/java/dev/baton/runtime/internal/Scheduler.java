// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Engine;
import dev.baton.runtime.internal.CooperativeTask.State;
import org.jspecify.annotations.Nullable;

/**
 * Who has the turn, and to whom it goes next.
 *
 * <p>Whoever has it, a task or the driver, owns everything in a run without a lock. It decides itself who is next, on its own stack;
 * then the {@link Relay} gives the turn on. When nobody can go on, the driver has it.
 */
final class Scheduler {
  private final Turn turn;
  private final Relay relay;
  private final Turns turns;
  private final LiveTasks tasks;
  private final RunClock clock;
  private final Inbox inbox;
  private final Aside aside;
  private final Course course;

  private final Waits waits;

  /** How many tasks wait outside of Baton. */
  private int outside;

  Scheduler(
      RunSettings settings, Turn turn, LiveTasks tasks, RunClock clock, Inbox inbox, Aside aside, Course course, Waits waits) {
    this.turn = turn;
    this.relay = settings.engine() == Engine.STEPPED ? new SteppedRelay(turn, this) : new PortableRelay(turn);
    this.turns = new Turns(turn, settings.decider());
    this.tasks = tasks;
    this.clock = clock;
    this.inbox = inbox;
    this.aside = aside;
    this.course = course;
    this.waits = waits;
  }

  // ---- who has the turn ----

  /** Whether the calling thread has the turn. Asked by any thread. */
  boolean hasTurn() {
    return turn.isCallers();
  }

  /** The task that has the turn, or null if the driver has it. */
  @Nullable CooperativeTask current() {
    return turn.holder();
  }

  /** The task that calls. */
  CooperativeTask running() {
    return turn.caller();
  }

  // ---- who can run ----

  /** A thread for {@code task}, not started. */
  Thread newThread(CooperativeTask task, String name) {
    return relay.newThread(task, name);
  }

  /** {@code task}, which is new, can run. */
  void add(CooperativeTask task) {
    turns.add(task);
  }

  /** {@code task} can run, and is the first of its priority. */
  void addFirst(CooperativeTask task) {
    turns.addFirst(task);
  }

  /** Whether somebody of a higher priority than {@code me} can run. */
  boolean isHigherReady(CooperativeTask me) {
    return turns.isHigherReady(me);
  }

  /** Takes {@code task}, which sleeps or could run, out of whatever it stands in: it is given the turn. */
  void takeOut(CooperativeTask task) {
    if (task.is(State.RUNNABLE)) {
      turns.remove(task);
    } else if (task.is(State.PARKED)) {
      waits.ended(task);
      task.become(State.RUNNABLE);
    }
  }

  /** {@code task}, which is new, will never run. */
  void remove(CooperativeTask task) {
    turns.remove(task);
  }

  /** Lets {@code task} go on if it waits; it may find that there is no reason to. */
  void makeReady(CooperativeTask task) {
    if (task.is(State.PARKED)) {
      waits.ended(task);
    } else if (task.is(State.OUTSIDE)) {
      outside--;
    } else {
      // It can run already, or is over.
      return;
    }
    task.become(State.RUNNABLE);
    turns.add(task);
  }

  /** Whether somebody who is not ours may let a task go on. */
  boolean awaitsOutside() {
    // In this order: whoever tells of a stall wants to know of both.
    return waits.areForOutside() || outside > 0;
  }

  // ---- who is next ----

  /** Who is next; {@code me} could go on too, unless it is null. Null: nobody can. */
  @Nullable CooperativeTask pick(@Nullable CooperativeTask me) {
    hear();
    CooperativeTask next = turns.next(me);
    return next != null && turns.failure() == null ? next : pickAtLast(me, next);
  }

  private @Nullable CooperativeTask pickAtLast(@Nullable CooperativeTask me, @Nullable CooperativeTask chosen) {
    CooperativeTask next = chosen;
    while (true) {
      Throwable failure = turns.failure();
      if (failure != null) {
        course.stop(failure);
      }
      if (next != null || !(relay.wakesInterrupted() || moveClock())) {
        return next;
      }
      hear();
      next = turns.next(me);
    }
  }

  /** What foreign threads have to say, and what the clock has. */
  private void hear() {
    while (!inbox.isEmpty()) {
      readInbox();
    }
    if (clock.hasTimers()) {
      fireDue();
    }
  }

  private void readInbox() {
    for (Inbox.Message message = inbox.takeAll(); message != null; message = message.next()) {
      course.happened();
      aside.run(message.action());
    }
  }

  private void fireDue() {
    long now = clock.nanoTime();
    for (TimerHeap.Entry due = clock.pollDue(now); due != null; due = clock.pollDue(now)) {
      course.happened();
      aside.run(due.action);
    }
  }

  /** Nobody can run: jumps to the next timer, if time is ours to move. */
  private boolean moveClock() {
    boolean mayMove = clock.canJump() && !awaitsOutside();
    if (!mayMove || course.problem() != null || (tasks.isRootEnded() && !course.isCancelling())) {
      return false;
    }
    clock.jump();
    return true;
  }

  /** {@code me} keeps the turn at a switch point. */
  void stayWith(CooperativeTask me) {
    relay.staysWithHolder();
    // One that has just come from outside, or by a timer.
    deliverInterrupt(me);
  }

  // ---- how it goes there ----

  /** The driver gives the turn to {@code next} and returns when it has it again. */
  void drive(CooperativeTask next) {
    relay.drive(next);
  }

  /** {@code me}, which stands in line or is PARKED, gives the turn to {@code next} and returns when it has it again. */
  void switchTo(CooperativeTask me, @Nullable CooperativeTask next) {
    if (next != me && !relay.handOver(me, next)) {
      stayPinned(me, next);
    }
    deliverInterrupt(me);
  }

  private void stayPinned(CooperativeTask me, @Nullable CooperativeTask next) {
    if (next != null) {
      turns.addFirst(next);
    }
    turns.remove(me);
  }

  /** Interrupts the calling thread, which is that of {@code me}, if somebody has asked for it meanwhile. */
  static void deliverInterrupt(CooperativeTask me) {
    if (me.interruptPending) {
      me.interruptPending = false;
      Thread.currentThread().interrupt();
    }
  }

  /** {@code me}, which has ended, gives the turn on as the last thing that its thread does. */
  void end(CooperativeTask me) {
    CooperativeTask heir = me.errand == null ? null : me.errand.heir;
    if (heir == null || heir.is(State.ENDED)) {
      relay.end(me, pick(null));
    } else {
      takeOut(heir);
      heir.level = me.level;
      relay.end(me, heir);
    }
  }

  /** {@code me} counts as ended although its thread has not: gives the turn on and does not return. */
  void leaveBehind(CooperativeTask me) {
    relay.handOver(me, pick(null));
  }

  // ---- told by the engines ----

  /** Stepped: {@code task} sleeps without having given up its turn. Returns who is next. */
  @Nullable CooperativeTask wentOutside(CooperativeTask task) {
    turn.giveHere(null);
    task.become(State.OUTSIDE);
    outside++;
    // A step too: one that polls outside of Baton for ever would otherwise never be stopped.
    course.step();
    course.checkLength();
    return pick(null);
  }

  /** Stepped: the thread of {@code task}, which we have not woken, could go on. Called by any thread. */
  void couldGoOn(CooperativeTask task) {
    inbox.put(
        () -> {
          // Also if it waits for us: it may have been interrupted, and a second interrupt would not be told. But not if this comes
          // too late: it has gone on and waits outside again, and nobody but whoever has woken it then can run it.
          if (!task.is(State.OUTSIDE) || task.continuation() != null) {
            makeReady(task);
          }
        });
  }

  /** Portable: somebody has interrupted the thread of {@code task} itself, while it waited for its turn or was about to. */
  void interruptedByThread(CooperativeTask task) {
    inbox.put(() -> makeReady(task));
  }

  // ---- told by whoever watches, on a foreign thread ----

  /** The task whose thread occupies the driver without having the turn, or null. */
  @Nullable CooperativeTask pinned() {
    CooperativeTask pinned = relay.pinned();
    return pinned == turn.holder() ? null : pinned;
  }

  /** The task that has the turn does not come back: the driver goes on without it. */
  void abandonCurrent() {
    Thread thread = turn.abandon();
    if (thread != null) {
      thread.interrupt();
    }
    relay.abandon();
  }
}
