// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.Semaphore;

/** A semaphore per side, with one permit while that side has the turn and has not taken it yet. */
final class SemaphoreRelay implements Relay {
  private final Semaphore[] turns = {Semaphore.unbounded(0), Semaphore.unbounded(0)};

  @Override
  public void give(int to) {
    turns[to].release();
  }

  @Override
  public void take(int side) throws InterruptedException {
    turns[side].acquire();
  }
}
