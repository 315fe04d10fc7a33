// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.concurrent.CancellationException;

/**
 * A task was cancelled: thrown once in that task, where it waits or performs its next effect, and to all who wait for it, when it
 * has ended.
 */
public final class TaskCancelledException extends CancellationException {
  private static final long serialVersionUID = 1;

  /**
   * What was cancelled is said by {@code message}.
   *
   * @param message which task, and why
   */
  public TaskCancelledException(String message) {
    super(message);
  }
}
