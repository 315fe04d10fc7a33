// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.locks.LockSupport;

/** The floor: what any blocking hand-over comes down to, one write that the other sees, one unpark and one park. */
final class BareRelay implements Relay {
  private final Thread[] sides;
  private volatile int turn;

  BareRelay(Thread[] sides) {
    this.sides = sides;
  }

  @Override
  public void give(int to) {
    turn = to;
    LockSupport.unpark(sides[to]);
  }

  @Override
  public void take(int side) {
    while (turn != side) {
      LockSupport.park();
    }
  }
}
