// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Policy;
import dev.baton.scope.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The two tasks of a cooperative run that pass a turn to and fro. Who yields does so in round robin; who hands something over
 * runs until it has to wait: so a hop is one switch in either case.
 */
final class CooperativeHopCrowd extends HopCrowd {
  private final Engine engine;
  private final Policy policy;
  private @Nullable Thread caller;

  CooperativeHopCrowd(Peer peer, Engine engine) {
    super(peer);
    this.engine = engine;
    policy = peer == Peer.BATON_YIELD ? Policy.roundRobin() : Policy.runToBlock();
  }

  @Override
  void start() {
    caller = Thread.ofPlatform().daemon().name("cooperative-run").start(this::run);
  }

  private void run() {
    try {
      Cooperative.create().engine(engine).policy(policy).run(this::tasks);
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void tasks() throws Exception {
    makeRelay(); // in the run: a wait for something made outside is not the same
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                work(1);
                return this;
              });
          work(0);
          scope.join();
        });
  }

  @Override
  void interrupt() {
    if (caller != null) {
      caller.interrupt();
    }
  }
}
