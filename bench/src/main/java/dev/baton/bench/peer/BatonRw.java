// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.RwLock;

record BatonRw(RwLock lock) implements RwGate {
  BatonRw() {
    this(new RwLock());
  }

  @Override
  public long startRead() throws InterruptedException {
    lock.readLock().lockInterruptibly();
    return 0;
  }

  @Override
  public void endRead(long stamp) {
    lock.readLock().unlock();
  }

  @Override
  public long startWrite() throws InterruptedException {
    lock.writeLock().lockInterruptibly();
    return 0;
  }

  @Override
  public void endWrite(long stamp) {
    lock.writeLock().unlock();
  }

  @Override
  public boolean isIdle() {
    return !lock.isWriteLocked() && lock.readerCount() == 0;
  }
}
