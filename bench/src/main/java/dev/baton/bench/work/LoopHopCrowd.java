// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;

/** Two virtual threads on a {@link BareLoop} that pass a turn to and fro. */
final class LoopHopCrowd extends HopCrowd {
  private final BareLoop loop = new BareLoop();

  LoopHopCrowd(Peer peer) {
    super(peer);
  }

  @Override
  Thread newThread(Runnable body) {
    return loop.newThread(body);
  }

  @Override
  void start() {
    super.start();
    loop.start();
  }

  /** They are woken by each other or not at all. */
  @Override
  void interrupt() {}
}
