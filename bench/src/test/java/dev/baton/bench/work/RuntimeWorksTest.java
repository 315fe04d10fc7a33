// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.bench.peer.Peer;
import dev.baton.runtime.Engine;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is measured of the runtime does what it should, in a small size, on either engine. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RuntimeWorksTest {
  static Stream<Arguments> switches() {
    return onEitherEngine(Peer.BARE_SWITCH, Peer.BATON_YIELD, Peer.BATON, Peer.BATON_NOTIFY);
  }

  static Stream<Arguments> tasks() {
    return onEitherEngine(Peer.BARE_PARKED, Peer.BATON_TASK, Peer.BATON_SCOPE);
  }

  private static Stream<Arguments> onEitherEngine(Peer... peers) {
    return Stream.of(Engine.values()).flatMap(engine -> Stream.of(peers).map(peer -> Arguments.of(peer, engine)));
  }

  @ParameterizedTest
  @MethodSource("switches")
  void theTwoTakeTurns(Peer peer, Engine engine) throws InterruptedException {
    Pairs pairs = new Pairs();
    Costs costs = new Costs();
    Crowd crowd = Switch.crowd(peer, engine);
    crowd.start();
    crowd.mark();
    do {
      crowd.sample(pairs, costs);
    } while (pairs.pairs == 0); // the first turns of all take long on a busy machine
    crowd.stop();

    assertThat(crowd.rounds(0)).isCloseTo(crowd.rounds(1), Offset.offset(1L));
  }

  @ParameterizedTest
  @EnumSource
  void everyScheduleIsTried(Engine engine) {
    for (int operations : List.of(30, 10)) {
      assertThat(Schedules.search(engine, operations, 7).schedules()).isEqualTo(Schedules.SEARCH);
    }
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void whatWaitsTakesHeapAndIsLetGo(Peer peer, Engine engine) throws Exception {
    ThreadFootprint footprint = new ThreadFootprint();

    ParkedTasks.measure(peer, engine, 5_000, footprint);

    assertThat(footprint.bytesPerThread).isPositive();
    assertThat(footprint.stackBytesPerThread).isPositive();
  }

  @Test
  void eachClassMeasuresTheEngineThatItIsNamedAfter() {
    assertThat(List.of(new Switch().engine(), new Schedules().engine(), new ParkedTasks().engine()))
        .containsOnly(Engine.PORTABLE);
    assertThat(List.of(new SwitchOnOneCarrier().engine(), new SchedulesOnOneCarrier().engine())).containsOnly(Engine.PORTABLE);
    assertThat(List.of(new SwitchStepped().engine(), new SchedulesStepped().engine(), new ParkedTasksStepped().engine()))
        .containsOnly(Engine.STEPPED);
  }

  @Test
  void nothingIsLostOnTheFastPath() throws Exception {
    FastPath work = new FastPath();
    FastPath.Ran ran = new FastPath.Ran();
    work.getAndAdds();
    work.baton();
    work.batonMutex();
    ran.run();
    work.batonAfterRun(ran);
    work.mutexAfterRun(ran);

    assertThatCode(work::nothingIsLost).doesNotThrowAnyException();
  }
}
