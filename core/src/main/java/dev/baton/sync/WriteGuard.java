// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

/** A write lock of an {@link RwLock} that is held: closing it unlocks, and it can go on as a read lock. */
public interface WriteGuard extends Guard {

  /**
   * Goes on as a reader without letting a writer in between: readers at the head of the line enter, the next writer does not.
   * This guard is spent; the one returned holds a read lock. Any thread may call it. Never blocks.
   *
   * @return a guard that reads; close it in the place of this one
   * @throws IllegalMonitorStateException if this guard does not hold the lock any more; nothing changes
   */
  Guard downgrade();
}
