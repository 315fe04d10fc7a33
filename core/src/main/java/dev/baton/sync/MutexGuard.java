// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import org.jspecify.annotations.Nullable;

/** One hold of a {@link Mutex}; its identity tells it from any later hold of the same task. */
final class MutexGuard implements Guard {
  private final Mutex mutex;
  private final @Nullable Object task;

  /** A hold of {@code task}, or of whoever has this guard if that is null. */
  MutexGuard(Mutex mutex, @Nullable Object task) {
    this.mutex = mutex;
    this.task = task;
  }

  @Nullable Object task() {
    return task;
  }

  @Override
  public void close() {
    mutex.release(this);
  }

  @Override
  public String toString() {
    return "Guard[" + mutex + "]";
  }
}
