// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;

/** A crowd whose rounds are enter, section, leave. */
abstract class GateCrowd extends Crowd {
  private final int permits;

  /** Guarded by the gate when it has one permit; a lost update means two were inside. In an array, away from what all read. */
  private final long[] exclusive = new long[2 * STRIDE];

  GateCrowd(int size, int permits) {
    super(size);
    this.permits = permits;
  }

  static Crowd of(Peer peer, int permits, int size, long tokens, Turns turns) {
    return peer.suspends()
        ? new CoroutineCrowd(peer.suspendGate(permits), permits, size, tokens, turns)
        : new ThreadCrowd(peer.gate(permits), permits, size, Section.cpu(tokens), turns);
  }

  abstract long free();

  final void countInside(int worker) {
    count(worker);
    if (permits == 1) {
      exclusive[STRIDE]++;
    }
  }

  @Override
  final void check() {
    Expect.equal("free permits after the last worker left", permits, free());
    if (permits == 1) {
      Expect.equal("rounds counted inside the gate", rounds(), exclusive[STRIDE]);
    }
  }
}
