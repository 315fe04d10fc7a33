// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.effect.Effects;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Policy;
import dev.baton.scope.Task;
import org.jspecify.annotations.Nullable;

/**
 * The two tasks of an effect program that pass a turn to and fro. Who yields does so in round robin; who hands something over runs until
 * it has to wait: so a hop is one switch in either case.
 */
final class EffectHopCrowd extends HopCrowd {
  private final Engine engine;
  private final Policy policy;
  private @Nullable Thread caller;

  EffectHopCrowd(Peer peer, Engine engine) {
    super(peer);
    this.engine = engine;
    policy = peer == Peer.EFFECT_YIELD ? Policy.roundRobin() : Policy.runToBlock();
  }

  @Override
  void start() {
    caller = Thread.ofPlatform().daemon().name("effect-run").start(this::run);
  }

  private void run() {
    try {
      Runner.create().engine(engine).policy(policy).run(this::tasks).orThrow();
    } catch (Throwable e) {
      failed(e);
    }
  }

  private Object tasks() {
    makeRelay();
    Task<Object> other =
        Effects.spawn(
            () -> {
              work(1);
              return this;
            });
    work(0);
    return Effects.join(other);
  }

  @Override
  void interrupt() {
    if (caller != null) {
      caller.interrupt();
    }
  }
}
