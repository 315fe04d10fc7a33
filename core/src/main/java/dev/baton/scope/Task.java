// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.sync.Waitable;
import org.jspecify.annotations.Nullable;

/**
 * Work that was forked in a {@link Scope}, or spawned by an effect program. It has ended, at the latest, when the scope's block, or
 * the run of the program, has.
 *
 * @param <T> what the work returns
 */
public interface Task<T extends @Nullable Object> extends Waitable<T> {

  /**
   * {@return what the work returned} Never blocks: read it after {@link Scope#join}, or wait by {@link #await()}.
   *
   * @throws IllegalStateException if the task has not ended, or did not end with a value (the error is the cause)
   */
  T result();

  /** {@return what has become of the task} */
  TaskState state();

  /**
   * Cancels the task: one that has not begun never runs, a running one is interrupted. Does not wait for its end; those who
   * wait for the task are told when it has ended. A task that returns all the same is cancelled nevertheless. The other tasks of
   * the scope, and the scope, go on.
   *
   * @return false if it has ended or was cancelled before; nothing changes
   */
  boolean cancel();
}
