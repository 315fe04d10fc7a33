// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;

/** Many who wait at a closed gate, to be called off all at once. */
interface Waiters {
  /** Returns when everybody waits. */
  void queue() throws InterruptedException;

  void interruptAll();

  /** Returns when everybody has ended. */
  void awaitEnd() throws InterruptedException;

  /** Checks that each of them ended because it was called off, and that the gate is as it was. */
  void verify();

  static Waiters of(Peer peer, int size) {
    return peer.suspends() ? new CoroutineWaiters(peer.suspendGate(1), size) : new ThreadWaiters(peer.gate(1), size);
  }
}
