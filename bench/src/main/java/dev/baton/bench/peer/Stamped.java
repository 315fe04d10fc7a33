// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.locks.StampedLock;

/** Its locks only: an optimistic read holds nothing, so it is no peer of a read lock. */
record Stamped(StampedLock lock) implements RwGate {
  Stamped() {
    this(new StampedLock());
  }

  @Override
  public long startRead() throws InterruptedException {
    return lock.readLockInterruptibly();
  }

  @Override
  public void endRead(long stamp) {
    lock.unlockRead(stamp);
  }

  @Override
  public long startWrite() throws InterruptedException {
    return lock.writeLockInterruptibly();
  }

  @Override
  public void endWrite(long stamp) {
    lock.unlockWrite(stamp);
  }

  @Override
  public boolean isIdle() {
    return !lock.isWriteLocked() && !lock.isReadLocked();
  }
}
