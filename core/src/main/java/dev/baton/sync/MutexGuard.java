// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.SwitchPoints;

/** One hold of a {@link Mutex}; its identity tells it from any later hold, also of the same thread. */
final class MutexGuard implements Guard {
  private final Mutex mutex;

  MutexGuard(Mutex mutex) {
    this.mutex = mutex;
  }

  @Override
  public void close() {
    SwitchPoints.reach(mutex);
    mutex.release(this);
  }

  @Override
  public String toString() {
    return "Guard[" + mutex + "]";
  }
}
