// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.peer.Peer;
import dev.baton.runtime.Engine;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is measured of effects does what it should: each work checks itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EffectWorksTest {
  static Stream<Arguments> hops() {
    return Stream.of(Engine.values())
        .flatMap(
            engine ->
                Stream.of(
                        Peer.BARE_SWITCH,
                        Peer.BATON_YIELD,
                        Peer.EFFECT_YIELD,
                        Peer.EFFECT_PROMISE,
                        Peer.EFFECT_SEMAPHORE,
                        Peer.KOTLIN_YIELD,
                        Peer.KOTLIN_HAND_OVER)
                    .map(peer -> Arguments.of(peer, engine)));
  }

  @ParameterizedTest
  @MethodSource("hops")
  void theTwoTakeTurns(Peer peer, Engine engine) throws InterruptedException {
    Pairs pairs = new Pairs();
    Costs costs = new Costs();
    Crowd crowd = EffectSwitch.crowd(peer, engine);
    crowd.start();
    crowd.mark();
    do {
      crowd.sample(pairs, costs);
    } while (pairs.pairs == 0); // the first turns of all take long on a busy machine
    crowd.stop();

    assertThat(crowd.rounds(0)).isCloseTo(crowd.rounds(1), Offset.offset(1L));
  }

  @Test
  void effectsAreAnswered() throws Exception {
    EffectPerform perform = new EffectPerform();
    perform.depth = 8;
    perform.nest();
    assertThat(perform.batonPerform()).isEqualTo(EffectPerform.PERFORMS);
    assertThat(new EffectState().batonState()).isEqualTo(3L * EffectState.PAIRS);
    assertThat(new EffectAwait().batonAwait()).isEqualTo(EffectAwait.AWAITS);
    EffectAwaitAsync async = new EffectAwaitAsync();
    assertThat(async.batonAwait()).isEqualTo(async.bareSupply()).isEqualTo(async.awaitCallable());
    EffectPermit permit = new EffectPermit();
    permit.effectPermit();
    permit.baton();
    permit.kotlin();
    permit.nothingIsLost();
  }

  @Test
  void tasksAreSpawnedAndGathered() throws Exception {
    for (EffectSpawn spawn : new EffectSpawn[] {new EffectSpawn(), new EffectSpawnStepped()}) {
      spawn.tasks = 1_000;
      spawn.box();
      spawn.batonSpawn(); // checks the sum of the results
      spawn.kotlinLaunch();
    }
    assertThat(new EffectSpawn().engine()).isEqualTo(Engine.PORTABLE);
    assertThat(new EffectSpawnStepped().engine()).isEqualTo(Engine.STEPPED);
    assertThat(new EffectSwitch().engine()).isEqualTo(Engine.PORTABLE);
    assertThat(new EffectSwitchStepped().engine()).isEqualTo(Engine.STEPPED);
  }
}
