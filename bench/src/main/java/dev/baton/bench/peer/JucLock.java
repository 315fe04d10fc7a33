// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.locks.ReentrantLock;

record JucLock(ReentrantLock lock) implements Gate {
  JucLock(boolean fair) {
    this(new ReentrantLock(fair));
  }

  @Override
  public void enter() throws InterruptedException {
    lock.lockInterruptibly();
  }

  @Override
  public void leave() {
    lock.unlock();
  }

  @Override
  public long free() {
    return lock.isLocked() ? 0 : 1;
  }
}
