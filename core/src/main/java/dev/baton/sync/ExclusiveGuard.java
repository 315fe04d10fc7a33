// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.SwitchPoints;

/** One hold of a {@link ExclusiveLock}; its identity tells it from any later hold, also of the same thread. */
class ExclusiveGuard implements Guard {
  private final ExclusiveLock<?> lock;

  ExclusiveGuard(ExclusiveLock<?> lock) {
    this.lock = lock;
  }

  @Override
  public final void close() {
    SwitchPoints.reach(lock.ledgerKey());
    lock.release(this);
  }

  @Override
  public final String toString() {
    return "Guard[" + lock + "]";
  }
}
