// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.runtime.Priority;
import dev.baton.scope.Task;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Starts a task that runs {@code program}, with a snapshot of the state and the log, and goes on. Answer: the task. See {@link
 * Effects#spawn}.
 *
 * @param program what the task runs
 * @param name what it is called; if empty, it is numbered
 * @param priority its priority; if null, that of the spawning task
 * @param <T> what the program returns
 */
public record Spawn<T extends @Nullable Object>(Program<? extends T> program, String name, @Nullable Priority priority) implements Effect<Task<T>> {
  /** Checked. */
  public Spawn {
    Objects.requireNonNull(program, "program");
    Objects.requireNonNull(name, "name");
  }

  /**
   * Starts a task without a name, of the priority of the spawning one.
   *
   * @param program what the task runs
   */
  public Spawn(Program<? extends T> program) {
    this(program, "", null);
  }

  /**
   * Starts a task without a name.
   *
   * @param program what the task runs
   * @param priority that of the task
   */
  public Spawn(Program<? extends T> program, Priority priority) {
    this(program, "", priority);
  }
}
