// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How far a run is, and what ends it.
 *
 * <pre>
 *   RUNNING ──▶ CANCELLING ──▶ ABORTING ──▶ over
 *      └───────────────────────────▲
 * </pre>
 */
final class Course {
  /** So many operations may all tasks that are left take to clean up after they were cancelled. */
  private static final long CLEAN_UP_STEPS = 10_000;

  private static final VarHandle PROGRESS;

  static {
    try {
      PROGRESS = MethodHandles.lookup().findVarHandle(Course.class, "progress", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Diagnosis diagnosis;
  private long steps;
  private long stepLimit;
  private Phase phase = Phase.RUNNING;
  private @Nullable Problem problem;

  /** Grows whenever something happens. Read by whoever watches, in time but ordered with nothing else. */
  private volatile long progress;

  /** Whether the run is over for outsiders. */
  private volatile boolean over;

  private enum Phase {
    /** As usual. */
    RUNNING,
    /** The first task has ended; those that are left were interrupted and may clean up. */
    CANCELLING,
    /** Everybody is thrown out of whatever they wait for. */
    ABORTING
  }

  Course(long stepLimit, Diagnosis diagnosis) {
    this.stepLimit = stepLimit;
    this.diagnosis = diagnosis;
  }

  // ---- how far ----

  /** Only whoever has the turn calls it. */
  void happened() {
    PROGRESS.setOpaque(this, (long) PROGRESS.get(this) + 1);
  }

  /** Grows whenever something happens. Called by any thread. */
  long progress() {
    return progress;
  }

  /** Somebody begins an operation. */
  void step() {
    steps++;
    happened();
  }

  /** How many operations were begun. */
  long steps() {
    return steps;
  }

  /** Ends the run if it has taken more steps than it may. */
  void checkLength() {
    if (steps > stepLimit && problem == null) {
      tooManySteps();
    }
  }

  private void tooManySteps() {
    if (phase == Phase.RUNNING) {
      problem = new Problem.TooManySteps(steps - 1, diagnosis.graph());
    }
    phase = Phase.ABORTING;
  }

  // ---- how it ends ----

  /** Why the run ends before its time, or null. */
  @Nullable Problem problem() {
    return problem;
  }

  /** The run is to end because of {@code reason}. */
  void endBy(Problem reason) {
    problem = reason;
  }

  /** Ends the run: {@code reason} is what somebody who looks on has seen, or has thrown. The first one counts. */
  void stop(Object reason) {
    if (problem == null) {
      problem = new Problem.Stopped(reason, diagnosis.graph());
      phase = Phase.ABORTING;
    }
  }

  boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /** Those who are left may clean up, for a limited time. */
  void cancel() {
    phase = Phase.CANCELLING;
    stepLimit = steps + CLEAN_UP_STEPS;
  }

  boolean isCancelling() {
    return phase == Phase.CANCELLING;
  }

  /** Everybody is thrown out at their next operation. */
  void abort() {
    phase = Phase.ABORTING;
  }

  boolean isAborting() {
    return phase == Phase.ABORTING;
  }

  /** The run has ended, though a task that did not come back may still do so. */
  void finish() {
    over = true;
  }

  /** Whether the run has ended. Asked by any thread. */
  boolean isOver() {
    return over;
  }
}
