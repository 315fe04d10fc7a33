// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

/** Who goes first. Strict: a task runs only while none of a higher priority can; within one priority the policy chooses. */
public enum Priority {
  /** Runs when nobody else can. */
  IDLE,

  /** What tasks have unless told otherwise. */
  NORMAL,

  /** Runs before all others. */
  HIGH
}
