// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

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

  private final Turn turn;
  private final Diagnosis diagnosis;
  private long stepLimit;
  private Phase phase = Phase.RUNNING;
  private @Nullable Problem problem;

  /** Whether the first task has ended, and those who are left go on. */
  private boolean leaving;

  /** Interrupts those who are left, if they may clean up; null: they may not. */
  private @Nullable Runnable interrupter;

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

  Course(Turn turn, long stepLimit, Diagnosis diagnosis) {
    this.turn = turn;
    this.stepLimit = stepLimit;
    this.diagnosis = diagnosis;
  }

  // ---- how far ----

  /** Only whoever has the turn calls it. */
  void happened() {
    turn.happened();
  }

  /** Grows whenever something happens. Called by any thread. */
  long progress() {
    return turn.progress();
  }

  /** Somebody begins an operation. */
  void step() {
    turn.step();
  }

  /** How many operations were begun. */
  long steps() {
    return turn.steps();
  }

  /** Ends the run if it has taken more steps than it may. */
  void checkLength() {
    if (turn.steps() > stepLimit && problem == null) {
      tooManySteps();
    }
  }

  private void tooManySteps() {
    if (phase == Phase.RUNNING && leaving) {
      if (interrupter != null) {
        cancel();
        interrupter.run();
        return;
      }
    } else if (phase == Phase.RUNNING) {
      problem = new Problem.TooManySteps(turn.steps() - 1, diagnosis.graph());
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

  /** The first task has ended: whoever goes on by itself does so for a limited time, and is then interrupted, if it may clean up. */
  void leave(@Nullable Runnable interruptsAll) {
    leaving = true;
    interrupter = interruptsAll;
    stepLimit = Math.min(stepLimit, turn.steps() + CLEAN_UP_STEPS);
  }

  boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /** Those who are left may clean up, for a limited time. */
  void cancel() {
    phase = Phase.CANCELLING;
    stepLimit = turn.steps() + CLEAN_UP_STEPS;
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
