// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A task was about to begin an operation of Baton's.
 *
 * @param number counts the steps of a run from 1
 * @param task the name of the task
 * @param primitive what it operated on: a kind and a number, "Mutex 2"
 * @param operation the operation, "Mutex.lock", if lines are recorded; otherwise empty
 * @param line the line of the user's code that called it, if lines are recorded
 */
public record Step(long number, String task, String primitive, String operation, @Nullable StackTraceElement line) {

  @Override
  public String toString() {
    String what = operation.isEmpty() ? primitive : primitive + "  " + operation;
    return number + "  " + task + "  " + what + (line == null ? "" : "  " + line.getFileName() + ":" + line.getLineNumber());
  }
}
