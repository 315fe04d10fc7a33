// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.Mutex;

record BatonMutex(Mutex mutex) implements Gate {
  BatonMutex() {
    this(new Mutex());
  }

  @Override
  public void enter() throws InterruptedException {
    mutex.lockInterruptibly();
  }

  @Override
  public void leave() {
    mutex.unlock();
  }

  @Override
  public long free() {
    return mutex.isLocked() ? 0 : 1;
  }
}
