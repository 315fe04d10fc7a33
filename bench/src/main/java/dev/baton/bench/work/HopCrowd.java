// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.Relay;

/** Two virtual threads that pass a turn to and fro. A round is a hop, counted by the one who takes it. */
class HopCrowd extends Crowd {
  private final Peer peer;
  private final Thread[] threads = new Thread[2];

  @SuppressWarnings("NullAway.Init")
  private Relay relay;

  // Guarded by the turn; a lost update means that both had it.
  private long given;
  private long taken;
  private long takenTwice;
  private int lastTaker = -1;
  private boolean ending;

  HopCrowd(Peer peer) {
    super(2);
    this.peer = peer;
  }

  /** Makes what the turn is passed on by. Before either side works. */
  final void makeRelay() {
    relay = peer.relay(threads);
  }

  Thread newThread(Runnable body) {
    return Thread.ofVirtual().unstarted(body);
  }

  @Override
  void start() {
    makeRelay();
    for (int side = 0; side < size; side++) {
      int own = side;
      threads[side] = newThread(() -> work(own));
    }
    for (Thread thread : threads) {
      thread.start();
    }
  }

  final void work(int side) {
    int other = 1 - side;
    try {
      if (side == 1) {
        take(side);
      }
      while (!stopped()) {
        give(other);
        take(side);
      }
      if (!ending) {
        ending = true;
        give(other); // who waits for the turn and, once it has it, ends too
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      ended();
    }
  }

  private void give(int to) throws Exception {
    given++;
    relay.give(to);
  }

  private void take(int side) throws Exception {
    relay.take(side);
    taken++;
    if (lastTaker == side) {
      takenTwice++;
    }
    lastTaker = side;
    count(side);
  }

  @Override
  void interrupt() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  void check() {
    Expect.equal("turns taken, of those given", given, taken);
    Expect.equal("turns counted by the one who took them", taken, rounds());
    Expect.equal("turns taken by the side that had the one before: no hops", 0, takenTwice);
  }
}
