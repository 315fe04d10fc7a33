// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

/**
 * What has become of a {@link Task}.
 *
 * <pre>
 *   PENDING ──▶ RUNNING ──▶ COMPLETED, FAILED or CANCELLED
 *      └──────────────────▶ CANCELLED
 * </pre>
 */
public enum TaskState {
  /** Forked; has not begun to run. */
  PENDING,

  /** Running, also while it is being cancelled and has not ended yet. */
  RUNNING,

  /** Ended with a value. */
  COMPLETED,

  /** Ended with an error of its own. */
  FAILED,

  /** Was cancelled, and has ended. */
  CANCELLED;

  /** Whether the task has ended. */
  public boolean isDone() {
    return this != PENDING && this != RUNNING;
  }
}
