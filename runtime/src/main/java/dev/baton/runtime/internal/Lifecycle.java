// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import dev.baton.host.Hosts;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a task begins, and how it ends. */
final class Lifecycle {
  private final CooperativeHost host;
  private final boolean lines;
  private final Scheduler scheduler;
  private final LiveTasks tasks;
  private final Course course;
  private final Diagnosis diagnosis;
  private final List<Throwable> uncaught;
  private int numbers;
  private Runnable firstEnded = () -> {};

  /** What the body of a task throws is added to {@code uncaught}. */
  Lifecycle(
      CooperativeHost host,
      boolean lines,
      Scheduler scheduler,
      LiveTasks tasks,
      Course course,
      Diagnosis diagnosis,
      List<Throwable> uncaught) {
    this.host = host;
    this.lines = lines;
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.course = course;
    this.diagnosis = diagnosis;
    this.uncaught = uncaught;
  }

  void whenFirstEnded(Runnable action) {
    firstEnded = action;
  }

  /** Where its tasks get their turns. */
  Scheduler scheduler() {
    return scheduler;
  }

  /** Starts a task that inherits the priority of {@code by}, if that is one. */
  CooperativeTask start(String name, Runnable body, @Nullable CooperativeTask by) {
    CooperativeTask task = make(name, body, by);
    scheduler.add(task);
    return task;
  }

  /** Makes a task that inherits the priority of {@code by}, if that is one, and stands in no line yet. */
  CooperativeTask make(String name, Runnable body, @Nullable CooperativeTask by) {
    String shown = name;
    if (shown.isEmpty() && lines) {
      StackTraceElement line = Frames.callingLine();
      shown = line == null ? "" : "task " + numbers + " (" + line.getFileName() + ":" + line.getLineNumber() + ")";
    }
    Priority priority = by == null ? Priority.NORMAL : by.priority();
    // As the user named it: with lines the program must see the same as without.
    return withThread(new CooperativeTask(this, numbers++, shown, priority, body), name);
  }

  /** Makes a thread that works for {@code by}, and stands in no line yet. It is no task of its own, and takes no number. */
  CooperativeTask makeFor(CooperativeTask by, String threadName, Runnable body) {
    return withThread(new CooperativeTask(this, by.owner().number, threadName, by.priority(), body), threadName);
  }

  private CooperativeTask withThread(CooperativeTask task, String threadName) {
    task.thread = scheduler.newThread(task, threadName);
    tasks.add(task);
    return task;
  }

  /** Starts what somebody who does not have the turn wants to run. */
  Thread startFromOutside(String name, Runnable body) {
    if (course.isOver()) {
      throw new IllegalStateException("The run is over, and starts no more tasks.");
    }
    // An ordinary thread: the run may be over before it would look into its inbox.
    return Thread.ofVirtual().name(name).start(body);
  }

  /** The life of a task, on its own thread, which has the turn. */
  void live(CooperativeTask me, Runnable body) {
    me.become(State.RUNNABLE);
    Scheduler.deliverInterrupt(me);
    try {
      body.run();
    } catch (Unwind over) {
      // As it should.
    } catch (Throwable failure) {
      uncaught.add(failure);
    }
    boolean interrupted = Thread.interrupted() || me.interruptPending;
    if (interrupted && me.errand != null && me.errand.heir != null) {
      // It was for both, and has not been seen.
      me.errand.heir.interruptPending = true;
    }
    if (course.isOver()) {
      // It has come back after all, and there is nobody left to give the turn to.
      Hosts.end(host);
      return;
    }
    course.happened();
    ended(me);
    scheduler.end(me);
  }

  /** {@code task} has ended, or counts as ended: those who wait for that can go on. */
  void ended(CooperativeTask task) {
    task.become(State.ENDED);
    tasks.remove(task);
    for (CooperativeTask joiner = task.firstJoiner; joiner != null; joiner = joiner.nextJoiner) {
      scheduler.makeReady(joiner);
    }
    task.firstJoiner = null;
    task.resident = null;
    if (task == tasks.root() && course.problem() == null) {
      diagnosis.firstTaskEnded();
      firstEnded.run();
    }
  }
}
