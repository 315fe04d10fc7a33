// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.scope.Task;
import org.jspecify.annotations.Nullable;

/**
 * Asks a task to end, and goes on. One that has ended, or was cancelled before, is left as it is. See {@link Effects#cancel}.
 *
 * @param task the task
 */
public record Cancel(Task<?> task) implements Effect<@Nullable Void> {
  /** Checked. */
  public Cancel {
    if (task == null) {
      throw new IllegalArgumentException("Cancel needs a task, not null.");
    }
  }
}
