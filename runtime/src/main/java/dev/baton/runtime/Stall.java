// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import java.time.Duration;
import java.util.List;

/**
 * Nothing has happened for a while: a task has the turn and waits outside of Baton, or computes; or all wait for something that
 * was made outside of the run.
 *
 * @param task the task that is in the way
 * @param reason what it does
 * @param lasted for how long nothing has happened
 * @param stack where the task is, innermost first
 */
public record Stall(String task, String reason, Duration lasted, List<StackTraceElement> stack) {

  /** The reason of a task that does not wait. */
  public static final String COMPUTES = "runs without any operation of Baton's";

  /** The reason of a task that waits in an operation of Baton's and cannot be put aside. */
  public static final String PINNED =
      "waits with a class initializer or native code on its stack, which the stepped engine cannot switch: use the portable one";

  /** A stall. */
  public Stall {
    stack = List.copyOf(stack);
  }

  /** {@return whether the task computes instead of waiting} */
  public boolean isComputing() {
    return reason.equals(COMPUTES);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(task).append(' ').append(reason);
    if (lasted.toMillis() > 0) {
      text.append(", and nothing has happened for ").append(lasted.toMillis()).append(" ms");
    }
    for (StackTraceElement frame : stack) {
      text.append("\n    at ").append(frame);
    }
    return text.toString();
  }
}
