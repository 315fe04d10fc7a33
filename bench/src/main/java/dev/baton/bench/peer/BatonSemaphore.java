// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.Semaphore;

record BatonSemaphore(Semaphore semaphore) implements Gate {
  BatonSemaphore(int permits) {
    this(Semaphore.of(permits));
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
    return semaphore.available();
  }
}
