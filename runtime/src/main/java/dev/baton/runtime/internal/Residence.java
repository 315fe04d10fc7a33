// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a layer above the host, which has tasks of its own, needs to know and to do beyond what primitives ask a host for. All of it
 * is for whoever has the turn.
 */
public final class Residence {
  private final boolean closed;
  private final Turn turn;
  private final Scheduler scheduler;
  private final Lifecycle lifecycle;
  private final Parking parking;
  private final Course course;

  Residence(boolean closed, Turn turn, Scheduler scheduler, Lifecycle lifecycle, Parking parking, Course course) {
    this.closed = closed;
    this.turn = turn;
    this.scheduler = scheduler;
    this.lifecycle = lifecycle;
    this.parking = parking;
    this.course = course;
  }

  /** Whether nothing outside of the run counts. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether the calling thread has the turn. */
  public boolean hasTurn() {
    return turn.isCallers();
  }

  /** Whether the run is being ended before its time. */
  public boolean isAborting() {
    return course.isAborting();
  }

  // ---- who lives where ----

  /** The task that calls. */
  public CooperativeTask here() {
    return turn.caller();
  }

  /** From now on {@code resident}, or nobody, lives in the calling task. Returns who did before. */
  public @Nullable Resident moveIn(@Nullable Resident resident) {
    CooperativeTask me = turn.caller();
    Resident before = me.resident;
    me.resident = resident;
    return before;
  }

  // ---- tasks ----

  /** Starts a task in which {@code resident} lives; with the priority of the calling one, unless one is given. */
  public CooperativeTask start(String name, Runnable body, @Nullable Priority priority, Resident resident) {
    CooperativeTask task = lifecycle.make(name, body, turn.holder());
    if (priority != null) {
      task.setPriority(priority);
    }
    task.resident = resident;
    scheduler.add(task);
    return task;
  }

  /**
   * A thread that works for the calling task, in which {@code resident} lives too, and that does not run until it is {@linkplain #handOver
   * given the turn}.
   */
  public CooperativeTask prepare(String threadName, Runnable body, Resident resident) {
    CooperativeTask me = turn.caller();
    CooperativeTask task = lifecycle.makeFor(me, threadName, body);
    task.errand = new Errand(me.owner());
    task.resident = resident;
    return task;
  }

  /** {@code task}, which has not begun, never will. */
  public void discard(CooperativeTask task) {
    scheduler.remove(task);
    lifecycle.ended(task);
  }

  // ---- turns ----

  /** Gives up the turn to the tail of the line, whatever the policy thinks of those who could go on. */
  public void yieldTurn() {
    CooperativeTask me = turn.caller();
    course.step();
    course.checkLength();
    scheduler.add(me);
    scheduler.switchTo(me, scheduler.pick(null));
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  /** Lets those of a higher priority than {@code me}, which calls, go first; {@code me} keeps its place before its equals. */
  public void letHigherGoFirst(CooperativeTask me) {
    if (scheduler.isHigherReady(me) && !course.isAborting()) {
      scheduler.addFirst(me);
      scheduler.switchTo(me, scheduler.pick(null));
      if (me.unwinding) {
        throw new Unwind();
      }
    }
  }

  /**
   * The calling task sleeps and gives its turn to {@code to}, which sleeps or has not begun, whoever else could go on. May return
   * for no reason, as any sleep.
   */
  public void handOver(CooperativeTask to, Object blocker) {
    parking.handOver(to, blocker);
  }

  /** The calling task sleeps until somebody hands over to it; may return for no reason. */
  public void sleep(Object blocker) {
    parking.sleepFor(blocker);
  }

  /** The thread of the calling task, which sleeps until {@code active} hands over to it, was interrupted: {@code active} is, instead. */
  public void passInterrupt(CooperativeTask active) {
    parking.passInterrupt(active);
  }

  /** {@code task}, which {@linkplain #sleep sleeps}, can go on; does nothing if it could before. */
  public void wake(CooperativeTask task) {
    scheduler.makeReady(task);
  }

  /** The calling task, which was {@linkplain #prepare prepared}, gives its turn to {@code heir}, which sleeps, when it has ended. */
  public void endInFavourOf(CooperativeTask heir) {
    Objects.requireNonNull(turn.caller().errand).heir = heir;
  }

  /** Whether {@code thrown} is what ends a task whose run is over: it has to be passed on. */
  public static boolean isEnd(Throwable thrown) {
    return thrown instanceof Unwind;
  }
}
