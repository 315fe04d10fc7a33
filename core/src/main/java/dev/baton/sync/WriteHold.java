// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.SwitchPoints;

/** One hold of a {@link WriteLock}. */
final class WriteHold extends ExclusiveGuard implements WriteGuard {
  private final WriteLock lock;

  WriteHold(WriteLock lock) {
    super(lock);
    this.lock = lock;
  }

  @Override
  public Guard downgrade() {
    SwitchPoints.reach(lock.ledgerKey());
    ReadGuard reading = lock.readLock().newGuard();
    long task = lock.owningTask();
    if (!lock.downgrade(this)) {
      throw new IllegalMonitorStateException(
          "This guard does not hold " + lock + " any more: it was closed, downgraded or unlocked before.");
    }
    lock.readLock().heldBy(reading, task);
    return reading;
  }
}
