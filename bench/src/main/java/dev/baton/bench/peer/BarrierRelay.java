// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.Barrier;

/**
 * Giver and taker meet. So a hop is a meeting: the one who comes first parks, the other unparks it and goes on to the next
 * meeting, to park there. One park and one unpark, as for any other relay.
 */
final class BarrierRelay implements Relay {
  private final Barrier barrier = Barrier.of(2);

  @Override
  public void give(int to) throws InterruptedException {
    barrier.await();
  }

  @Override
  public void take(int side) throws InterruptedException {
    barrier.await();
  }
}
