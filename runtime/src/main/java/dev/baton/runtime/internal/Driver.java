// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Stall;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the thread that began a run does while no task has the turn: it waits for what comes from outside, finds that nothing can,
 * and ends those who are left.
 */
final class Driver {
  /** How long it is waited for somebody outside before a deadlock is reported. */
  private static final long GRACE_NANOS = 300_000_000;

  private final RunSettings settings;
  private final Scheduler scheduler;
  private final LiveTasks tasks;
  private final RunClock clock;
  private final Inbox inbox;
  private final Course course;
  private final Diagnosis diagnosis;
  private final Lifecycle lifecycle;
  private final Parking parking;

  Driver(
      RunSettings settings,
      Scheduler scheduler,
      LiveTasks tasks,
      RunClock clock,
      Inbox inbox,
      Course course,
      Diagnosis diagnosis,
      Lifecycle lifecycle,
      Parking parking) {
    this.settings = settings;
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.clock = clock;
    this.inbox = inbox;
    this.course = course;
    this.diagnosis = diagnosis;
    this.lifecycle = lifecycle;
    this.parking = parking;
  }

  /** Runs {@code body} as the first task, and all it starts, to the end. */
  void run(String name, Runnable body) {
    lifecycle.whenFirstEnded(() -> course.leave(settings.closed() ? null : this::interruptAll));
    lifecycle.start(name, body, null);
    long idleSince = 0;
    while (!tasks.isEmpty()) {
      CooperativeTask next = scheduler.pick(null);
      if (next != null) {
        idleSince = 0;
        scheduler.drive(next);
        if (course.problem() instanceof Problem.Stalled) {
          break;
        }
      } else if (course.problem() != null) {
        evictOldest();
      } else if (awaitsTheWorld() && (!tasks.isRootEnded() || mayGoOnCleaningUp(idleSince))) {
        idleSince = idleSince == 0 ? System.nanoTime() : idleSince;
        idle(idleSince);
      } else if (tasks.isRootEnded()) {
        endTheRest();
      } else if (!wakeInterrupted()) {
        course.endBy(comesFromOutside() ? awaitsStranger() : new Problem.Deadlock(diagnosis.graph()));
      }
    }
  }

  // ---- nobody can go on ----

  /** Whether something that is not ours to decide may let somebody go on: a foreign thread, or real time. */
  private boolean awaitsTheWorld() {
    return scheduler.awaitsOutside() || clock.awaitsRealTime();
  }

  /** Waits for what comes from outside, or for the time of the next timer. */
  private void idle(long idleSince) {
    long patience = settings.stallAfter().toNanos() - (System.nanoTime() - idleSince);
    if (patience <= 0) {
      stalled(System.nanoTime() - idleSince);
      patience = settings.stallAfter().toNanos();
    }
    if (course.problem() == null) {
      inbox.sleep(clock.awaitsRealTime() ? Math.min(patience, clock.nanosToNextTimer()) : patience);
    }
  }

  /** Nothing has happened for a while although the driver has waited. */
  private void stalled(long nanos) {
    for (CooperativeTask task = tasks.first(); task != null; task = task.next) {
      String reason = reasonToStall(task);
      if (reason != null) {
        Stall stall = Stalls.of(task, reason, nanos);
        if (settings.closed()) {
          course.endBy(new Problem.Stalled(stall));
          return;
        }
        settings.onStall().accept(stall);
      }
    }
  }

  private @Nullable String reasonToStall(CooperativeTask task) {
    if (task.is(State.OUTSIDE)) {
      return "waits outside of Baton";
    }
    return task.waitsForOutside
        ? "waits for " + diagnosis.awaitedFromOutside(Objects.requireNonNull(task.blocker)) + ", which somebody outside of this run has to serve"
        : null;
  }

  /** Wakes those whose thread was interrupted behind our back. False: nobody's was, and no message says so either. */
  private boolean wakeInterrupted() {
    boolean woken = false;
    for (CooperativeTask task = tasks.first(); task != null; task = task.next) {
      if (task.is(State.PARKED) && Objects.requireNonNull(task.thread).isInterrupted()) {
        scheduler.makeReady(task);
        woken = true;
      }
    }
    return woken || !inbox.isEmpty();
  }

  /**
   * Whether somebody outside wakes a task after all. In a closed world nobody should, and the search does not wait for it; but where
   * everything is written down there is time to look, before it is called a deadlock.
   */
  private boolean comesFromOutside() {
    if (settings.closed() && settings.lines()) {
      inbox.sleep(GRACE_NANOS);
    }
    return !inbox.isEmpty();
  }

  private Problem awaitsStranger() {
    String reason =
        "waited for something that a thread outside of this run has just given: such threads run when they like, and cannot be"
            + " searched. Start tasks by a Scope";
    return new Problem.Stalled(Stalls.of(Objects.requireNonNull(tasks.first()), reason, 0));
  }

  // ---- the first task has ended, or everybody is to ----

  /** Those that clean up after the first task has ended may wait for the world, but not for ever. */
  private boolean mayGoOnCleaningUp(long idleSince) {
    return course.isCancelling()
        && (idleSince == 0 || System.nanoTime() - idleSince < settings.stallAfter().toNanos());
  }

  /** Those who are left after the first task has ended may clean up; after that, or in a closed world, they are thrown out. */
  private void endTheRest() {
    if (course.isRunning() && !settings.closed()) {
      course.cancel();
      interruptAll();
    } else {
      evictOldest();
    }
  }

  private void interruptAll() {
    for (CooperativeTask task = tasks.first(); task != null; task = task.next) {
      parking.interrupt(task);
    }
  }

  /** Throws the oldest task that has not ended out of whatever it does. */
  private void evictOldest() {
    if (!course.isAborting() && course.problem() == null) {
      settings.observer().end();
    }
    course.abort();
    CooperativeTask task = Objects.requireNonNull(tasks.first());
    if (task.is(State.NEW)) {
      scheduler.remove(task);
      lifecycle.ended(task);
    } else if (task.unwinding && task.is(State.OUTSIDE)) {
      // It does not come back: it is left behind.
      lifecycle.ended(task);
    } else {
      task.unwinding = true;
      if (task.is(State.OUTSIDE)) {
        Objects.requireNonNull(task.thread).interrupt();
        inbox.sleep(Duration.ofMillis(100).toNanos());
      } else {
        scheduler.makeReady(task);
      }
    }
  }
}
