// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.Semaphore;

record JucSemaphore(Semaphore semaphore) implements Gate {
  JucSemaphore(int permits, boolean fair) {
    this(new Semaphore(permits, fair));
  }

  @Override
  public void enter() throws InterruptedException {
    semaphore.acquire();
  }

  @Override
  public void leave() {
    semaphore.release();
  }

  @Override
  public long free() {
    return semaphore.availablePermits();
  }
}
