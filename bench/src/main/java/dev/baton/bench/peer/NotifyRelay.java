// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.sync.Notify;

/** A tap on the shoulder for each side. */
final class NotifyRelay implements Relay {
  private final Notify[] turns = {new Notify(), new Notify()};

  @Override
  public void give(int to) {
    turns[to].notifyOne();
  }

  @Override
  public void take(int side) throws InterruptedException {
    turns[side].await();
  }
}
