// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

/**
 * What has become of a {@link Task}. One that was forked in a scope is never SUSPENDED or BLOCKED: nobody
 * can look into a thread that waits. The tasks of effect programs may be.
 *
 * <pre>
 *   PENDING ──▶ RUNNING ──▶ COMPLETED, FAILED or CANCELLED
 *      │          ⇅
 *      │       SUSPENDED, BLOCKED
 *      └──────────────────▶ CANCELLED
 * </pre>
 */
public enum TaskState {
  /** Forked; has not begun to run. */
  PENDING,

  /** Running, also while it is being cancelled and has not ended yet. */
  RUNNING,

  /** Could go on, and waits for its turn. */
  SUSPENDED,

  /** Waits for somebody or something. */
  BLOCKED,

  /** Ended with a value. */
  COMPLETED,

  /** Ended with an error of its own. */
  FAILED,

  /** Was cancelled, and has ended. */
  CANCELLED;

  /** {@return whether the task has ended} */
  public boolean isDone() {
    return this == COMPLETED || this == FAILED || this == CANCELLED;
  }
}
