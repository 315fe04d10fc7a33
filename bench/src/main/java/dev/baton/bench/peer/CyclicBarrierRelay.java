// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.CyclicBarrier;

/** Giver and taker meet, as in {@link BarrierRelay}. */
final class CyclicBarrierRelay implements Relay {
  private final CyclicBarrier barrier = new CyclicBarrier(2);

  @Override
  public void give(int to) throws Exception {
    barrier.await();
  }

  @Override
  public void take(int side) throws Exception {
    barrier.await();
  }
}
