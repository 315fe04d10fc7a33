// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Two cooperative tasks of one run that let each other go first. Only whoever runs looks at the turn: one at a time. */
final class YieldRelay implements Relay {
  private final Runnable yieldNow;
  private int turn;

  YieldRelay(Runnable yieldNow) {
    this.yieldNow = yieldNow;
  }

  @Override
  public void give(int to) {
    turn = to;
  }

  /** A yield that did not switch would not bring the turn: only those that did are counted. */
  @Override
  public void take(int side) {
    while (turn != side) {
      yieldNow.run();
    }
  }
}
