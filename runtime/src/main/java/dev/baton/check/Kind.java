// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

/** What went wrong. */
public enum Kind {
  /** No task could run any more. */
  DEADLOCK("deadlock"),

  /** The program, or a task whose result nobody keeps, threw something. */
  EXCEPTION("exception"),

  /** An invariant did not hold. */
  INVARIANT("broken invariant"),

  /** The program had returned, and a task it had started was still there. */
  LEAKED_TASK("leaked task"),

  /** The program had returned, and permits or a lock were still held. */
  LEAKED_PERMIT("leaked permit"),

  /** The program took more steps than it was allowed. */
  LIVELOCK("livelock, or more steps than allowed"),

  /** A task waited for something outside of Baton, or computed, and did not come back. */
  BLOCKED_OUTSIDE("blocked outside of Baton"),

  /** Two runs of the same schedule went differently. */
  NONDETERMINISTIC("not deterministic");

  private final String text;

  Kind(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
