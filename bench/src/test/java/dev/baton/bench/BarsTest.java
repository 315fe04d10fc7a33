// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.Rows.rate;
import static dev.baton.bench.Rows.row;
import static dev.baton.bench.Rows.time;
import static dev.baton.bench.peer.Peer.AFTER_RUN;
import static dev.baton.bench.peer.Peer.AWAIT_CALLABLE;
import static dev.baton.bench.peer.Peer.BARE_HOP;
import static dev.baton.bench.peer.Peer.BARE_PARK;
import static dev.baton.bench.peer.Peer.BARE_SUPPLY;
import static dev.baton.bench.peer.Peer.BARE_SWITCH;
import static dev.baton.bench.peer.Peer.BARE_THREADS;
import static dev.baton.bench.peer.Peer.BATON;
import static dev.baton.bench.peer.Peer.BATON_AWAIT;
import static dev.baton.bench.peer.Peer.BATON_BARRIER;
import static dev.baton.bench.peer.Peer.BATON_CHANNEL;
import static dev.baton.bench.peer.Peer.BATON_CHECK;
import static dev.baton.bench.peer.Peer.BATON_NOTIFY;
import static dev.baton.bench.peer.Peer.BATON_PERFORM;
import static dev.baton.bench.peer.Peer.BATON_PROMISE;
import static dev.baton.bench.peer.Peer.BATON_RW;
import static dev.baton.bench.peer.Peer.BATON_SCOPE;
import static dev.baton.bench.peer.Peer.BATON_SELECT;
import static dev.baton.bench.peer.Peer.BATON_SPAWN;
import static dev.baton.bench.peer.Peer.BATON_STATE;
import static dev.baton.bench.peer.Peer.BATON_TASK;
import static dev.baton.bench.peer.Peer.BATON_YIELD;
import static dev.baton.bench.peer.Peer.BIASED_SELECT;
import static dev.baton.bench.peer.Peer.EFFECT_PERMIT;
import static dev.baton.bench.peer.Peer.EFFECT_PROMISE;
import static dev.baton.bench.peer.Peer.EFFECT_SEMAPHORE;
import static dev.baton.bench.peer.Peer.GET_AND_ADDS;
import static dev.baton.bench.peer.Peer.JOX;
import static dev.baton.bench.peer.Peer.JOX_SELECT;
import static dev.baton.bench.peer.Peer.JUC_FAIR;
import static dev.baton.bench.peer.Peer.JUC_NONFAIR;
import static dev.baton.bench.peer.Peer.KOTLIN;
import static dev.baton.bench.peer.Peer.KOTLIN_CHANNEL;
import static dev.baton.bench.peer.Peer.KOTLIN_SELECT;
import static dev.baton.bench.peer.Peer.RW_FAIR;
import static dev.baton.bench.peer.Peer.RW_NONFAIR;
import static dev.baton.bench.peer.Peer.SYNCHRONOUS_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.Bars.Verdict;
import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.BufferedMessages;
import dev.baton.bench.work.BufferedMessagesOnOneCarrier;
import dev.baton.bench.work.EffectAwait;
import dev.baton.bench.work.EffectAwaitAsync;
import dev.baton.bench.work.EffectPerform;
import dev.baton.bench.work.EffectPermit;
import dev.baton.bench.work.EffectSpawn;
import dev.baton.bench.work.EffectSpawnStepped;
import dev.baton.bench.work.EffectState;
import dev.baton.bench.work.EffectSwitch;
import dev.baton.bench.work.EffectSwitchStepped;
import dev.baton.bench.work.FastPath;
import dev.baton.bench.work.ForkJoin;
import dev.baton.bench.work.HandOver;
import dev.baton.bench.work.Hop;
import dev.baton.bench.work.HopOnOneCarrier;
import dev.baton.bench.work.InterruptStorm;
import dev.baton.bench.work.JoxChain;
import dev.baton.bench.work.JoxPair;
import dev.baton.bench.work.JoxParallel;
import dev.baton.bench.work.JoxRendezvousChain;
import dev.baton.bench.work.JoxRendezvousParallel;
import dev.baton.bench.work.JoxSelects;
import dev.baton.bench.work.ParkedTasks;
import dev.baton.bench.work.ParkedTasksStepped;
import dev.baton.bench.work.ReadersAndWriters;
import dev.baton.bench.work.RendezvousMessages;
import dev.baton.bench.work.RendezvousMessagesOnOneCarrier;
import dev.baton.bench.work.Schedules;
import dev.baton.bench.work.SchedulesOnOneCarrier;
import dev.baton.bench.work.SchedulesStepped;
import dev.baton.bench.work.SelectMessages;
import dev.baton.bench.work.Switch;
import dev.baton.bench.work.SwitchOnOneCarrier;
import dev.baton.bench.work.SwitchStepped;
import dev.baton.bench.work.TimedSelectMessages;
import dev.baton.bench.work.UncontendedRead;
import dev.baton.bench.work.UncontendedSemaphore;
import dev.baton.bench.work.UncontendedWrite;
import dev.baton.bench.work.WaiterMemory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BarsTest {
  @Test
  void aBarSaysWhatWasMeasuredAndWhetherItWasEnough() {
    Row row = row(UncontendedSemaphore.class, Map.of(), time(GET_AND_ADDS, 10), time(BATON, 12), time(JUC_FAIR, 15));

    assertThat(Bars.check(List.of(row)))
        .extracting(Verdict::toString)
        .containsExactly(
            "bar: the work: Baton Semaphore at most 1.25x the time of two bare getAndAdds: met (measured 1.20x)",
            "bar: the work: Baton Semaphore at least 1.4x as fast as j.u.c Semaphore, fair: MISSED (measured 1.25x)",
            "bar: the work: Baton Semaphore allocates nothing: met (measured 0 B/op)");
  }

  @Test
  void theFloorMayBeExceededByAQuarterAndNoMore() {
    assertThat(floorBar(12.5)).isTrue();
    assertThat(floorBar(12.6)).isFalse();
  }

  private static boolean floorBar(double nanos) {
    Row row = row(UncontendedSemaphore.class, Map.of(), time(GET_AND_ADDS, 10), time(BATON, nanos));
    return Bars.check(List.of(row)).getFirst().met();
  }

  @Test
  void levelIsNotBehindButSlowerIs() {
    assertThat(kotlinBar(10)).isTrue();
    assertThat(kotlinBar(9.5)).isFalse();
  }

  private static boolean kotlinBar(double kotlinNanos) {
    Row row = row(UncontendedSemaphore.class, Map.of(), time(BATON, 10), time(KOTLIN, kotlinNanos));
    return Bars.check(List.of(row)).getFirst().met();
  }

  @Test
  void aBarHoldsOnlyForTheParametersItNames() {
    Measurement[] level = {rate(BATON, 1), rate(JUC_FAIR, 1), rate(JUC_NONFAIR, 1)};
    Row tiny = row(HandOver.class, Map.of("sectionNanos", "10", "threads", "64"), level);
    Row long_ = row(HandOver.class, Map.of("sectionNanos", "800", "threads", "64"), level);

    assertThat(Bars.check(List.of(tiny))).extracting(Verdict::met).containsExactly(false);
    assertThat(Bars.check(List.of(long_))).extracting(Verdict::met).containsExactly(false, true);
  }

  @Test
  void aReadWriteLockIsMeasuredAgainstBothOfTheJdksAndAllocatesNothing() {
    Measurement[] pairs = {time(BATON_RW, 10), time(RW_FAIR, 12), time(RW_NONFAIR, 11)};

    for (Class<?> side : List.of(UncontendedRead.class, UncontendedWrite.class)) {
      assertThat(Bars.check(List.of(row(side, Map.of(), pairs))))
          .extracting(Verdict::met)
          .containsExactly(true, false, true);
    }
  }

  @Test
  void readersAndWritersAreMeasuredAgainstTheFairLock() {
    Measurement[] rates = {rate(BATON_RW, 1.3), rate(RW_FAIR, 1), rate(RW_NONFAIR, 9)};
    Row row = row(ReadersAndWriters.class, Map.of("sectionNanos", "10", "threads", "64"), rates);

    assertThat(Bars.check(List.of(row))).extracting(Verdict::met).containsExactly(true);
  }

  @Test
  void aHopMayTakeALittleLongerThanABareOne() {
    Measurement[] hops = {rate(BARE_HOP, 1), rate(BATON_NOTIFY, 0.88), rate(BATON_BARRIER, 0.86), rate(BATON_PROMISE, 2)};

    for (Class<?> hop : List.of(Hop.class, HopOnOneCarrier.class)) {
      assertThat(Bars.check(List.of(row(hop, Map.of(), hops))))
          .extracting(Verdict::met)
          .containsExactly(true, false, true);
    }
  }

  @Test
  void aForkIsMeasuredAgainstABareThread() {
    Row row = row(ForkJoin.class, Map.of(), time(BARE_THREADS, 100), time(BATON_SCOPE, 116));

    assertThat(Bars.check(List.of(row)))
        .extracting(Verdict::toString)
        .containsExactly(
            "bar: the work: Baton Scope at most 1.15x the time of bare virtual threads: MISSED (measured 1.16x)");
  }

  @Test
  void aWaiterIsMeasuredBeyondItsThread() {
    Row small = row(WaiterMemory.class, Map.of(), time(BARE_PARK, 600), time(BATON, 664));
    Row large = row(WaiterMemory.class, Map.of(), time(BARE_PARK, 600), time(BATON, 665));

    assertThat(Bars.check(List.of(small, large))).extracting(Verdict::met).containsExactly(true, false);
  }

  @Test
  void aWaitersStackCountsInTheWholeButNotAmongItsObjects() {
    Row row = row(WaiterMemory.class, Map.of(), thread(BARE_PARK, 600, 200), thread(BATON, 700, 250));

    assertThat(Bars.check(List.of(row))).extracting(Verdict::measured).containsExactly("100 B", "50 B");
    assertThat(Bars.check(List.of(row))).extracting(Verdict::met).containsExactly(false, true);
  }

  private static Measurement thread(Peer peer, double bytes, double stack) {
    return new Measurement(peer, bytes, 0, "B/thread", false, Map.of(Measurement.STACK, stack));
  }

  @Test
  void aStormThatGrowsWithTheSquareIsNotLinear() {
    assertThat(Bars.check(List.of(storm(8_000, 1), storm(64_000, 1.5)))).extracting(Verdict::met).containsExactly(true);
    assertThat(Bars.check(List.of(storm(8_000, 1), storm(64_000, 8)))).extracting(Verdict::met).containsExactly(false);
  }

  private static Row storm(int waiters, double microsEach) {
    Measurement baton =
        new Measurement(
            BATON, waiters * microsEach / 1e3, 0, "ms/op", false, Map.of(Measurement.PER_WAITER, microsEach));
    return row(InterruptStorm.class, Map.of("waiters", String.valueOf(waiters)), baton);
  }

  @Test
  void aSwitchMayTakeALittleLongerThanABareOne() {
    for (Class<?> engine : List.of(SwitchStepped.class, SwitchOnOneCarrier.class, Switch.class)) {
      assertThat(switchBar(engine, 0.88)).isTrue();
      assertThat(switchBar(engine, 0.86)).isFalse();
    }
  }

  /** Hand-over by a primitive costs more than a switch, and is only reported. */
  private static boolean switchBar(Class<?> bench, double rate) {
    Row row = row(bench, Map.of(), rate(BARE_SWITCH, 1), rate(BATON, 0.5), rate(BATON_NOTIFY, 0.5), rate(BATON_YIELD, rate));
    List<Verdict> verdicts = Bars.check(List.of(row));
    assertThat(verdicts).hasSize(1);
    return verdicts.getFirst().met();
  }

  @Test
  void aSearchIsMeasuredByItsSchedulesPerSecond() {
    Row stepped = row(SchedulesStepped.class, Map.of("operations", "30"), rate(BATON_CHECK, 19_999));
    Row portable = row(SchedulesOnOneCarrier.class, Map.of("operations", "30"), rate(BATON_CHECK, 5_000));
    Row small = row(SchedulesStepped.class, Map.of("operations", "10"), rate(BATON_CHECK, 1));
    Row everywhere = row(Schedules.class, Map.of("operations", "30"), rate(BATON_CHECK, 1));

    assertThat(Bars.check(List.of(stepped, portable, small, everywhere)))
        .extracting(Verdict::toString)
        .containsExactly(
            "bar: the work: Baton Check tries at least 20,000 in a second: MISSED (measured 19,999 a second)",
            "bar: the work: Baton Check tries at least 5,000 in a second: met (measured 5,000 a second)");
  }

  @Test
  void aParkedTaskIsMeasuredWithItsThread() {
    for (Class<?> engine : List.of(ParkedTasksStepped.class, ParkedTasks.class)) {
      Row small = row(engine, Map.of(), thread(BATON_TASK, 1_200, 300), thread(BATON_SCOPE, 1_500, 300));
      Row large = row(engine, Map.of(), thread(BATON_TASK, 1_201, 300));

      assertThat(Bars.check(List.of(small, large))).extracting(Verdict::met).containsExactly(true, false);
    }
  }

  @Test
  void theFastPathIsMeasuredWhereNoCooperativeRunEverWas() {
    Row row = row(FastPath.class, Map.of(), time(GET_AND_ADDS, 10), time(BATON, 12.5), time(AFTER_RUN, 90));

    assertThat(Bars.check(List.of(row)))
        .extracting(Verdict::toString)
        .containsExactly(
            "bar: the work: Baton Semaphore at most 1.25x the time of two bare getAndAdds: met (measured 1.25x)");
  }

  @Test
  void aChannelIsMeasuredAgainstJoxByHowManyUseIt() {
    assertThat(channelBars(BufferedMessages.class, 1, 300)).containsExactly(true, true);
    assertThat(channelBars(BufferedMessages.class, 1, 299)).containsExactly(false, true);
    assertThat(channelBars(BufferedMessages.class, 8, 150)).containsExactly(true);
    assertThat(channelBars(BufferedMessages.class, 8, 149)).containsExactly(false);
    assertThat(channelBars(RendezvousMessages.class, 1, 130)).containsExactly(true);
    assertThat(channelBars(RendezvousMessages.class, 8, 129)).containsExactly(false);
    assertThat(channelBars(RendezvousMessages.class, 1000, 200)).containsExactly(true);
    assertThat(channelBars(RendezvousMessages.class, 1000, 199)).containsExactly(false);
    assertThat(channelBars(BufferedMessagesOnOneCarrier.class, 1, 239)).containsExactly(false);
    assertThat(channelBars(BufferedMessagesOnOneCarrier.class, 1, 240)).containsExactly(true);
    assertThat(channelBars(RendezvousMessagesOnOneCarrier.class, 1, 499)).containsExactly(false);
    assertThat(channelBars(RendezvousMessagesOnOneCarrier.class, 1, 500)).containsExactly(true);
  }

  /** The verdicts where Baton and Kotlin take 100 ns. */
  private static List<Boolean> channelBars(Class<?> bench, int pairs, double joxNanos) {
    Measurement[] messages = {time(BATON_CHANNEL, 100), time(JOX, joxNanos), time(KOTLIN_CHANNEL, 100), time(SYNCHRONOUS_QUEUE, 10)};
    Row row = row(bench, Map.of("pairs", String.valueOf(pairs)), messages);
    return Bars.check(List.of(row)).stream().map(Verdict::met).toList();
  }

  @Test
  void aSelectIsMeasuredAgainstJoxAndOnlyIfItIsFair() {
    Measurement[] selects = {time(BATON_SELECT, 100), time(BIASED_SELECT, 1), time(JOX_SELECT, 180), time(KOTLIN_SELECT, 10)};

    assertThat(Bars.check(List.of(row(SelectMessages.class, Map.of("channels", "2"), selects))))
        .extracting(Verdict::toString)
        .containsExactly("bar: the work: Baton Select at least 1.8x as fast as jox select: met (measured 1.80x)");
    assertThat(Bars.check(List.of(row(TimedSelectMessages.class, Map.of("channels", "2"), selects))))
        .extracting(Verdict::met)
        .containsExactly(false);
  }

  @Test
  void whatJoxMeasuresItselfByIsDoneFasterThanByJox() {
    for (Class<?> bench : List.of(JoxPair.class, JoxChain.class, JoxRendezvousChain.class, JoxParallel.class, JoxRendezvousParallel.class)) {
      Row ahead = row(bench, Map.of("capacity", "16"), time(BATON_CHANNEL, 100), time(JOX, 100), time(KOTLIN_CHANNEL, 1));
      Row behind = row(bench, Map.of("capacity", "16"), time(BATON_CHANNEL, 100), time(JOX, 99));

      assertThat(Bars.check(List.of(ahead, behind))).extracting(Verdict::met).containsExactly(true, false);
    }
    Row select = row(JoxSelects.class, Map.of("channels", "1"), time(BATON_SELECT, 100), time(JOX_SELECT, 99));
    assertThat(Bars.check(List.of(select))).extracting(Verdict::met).containsExactly(false);
  }

  @Test
  void effectsAreMeasuredByTheClockAndTasksByTheEngine() {
    assertThat(effectBar(EffectPerform.class, BATON_PERFORM, 100)).containsExactly(true);
    assertThat(effectBar(EffectPerform.class, BATON_PERFORM, 101)).containsExactly(false);
    assertThat(effectBar(EffectState.class, BATON_STATE, 251)).containsExactly(false);
    assertThat(effectBar(EffectPermit.class, EFFECT_PERMIT, 250)).containsExactly(true);
    assertThat(effectBar(EffectSpawn.class, BATON_SPAWN, 3_000)).containsExactly(true);
    assertThat(effectBar(EffectSpawnStepped.class, BATON_SPAWN, 1_501)).containsExactly(false);
    assertThat(effectBar(EffectAwait.class, BATON_AWAIT, 1_001)).containsExactly(false);
  }

  private static List<Boolean> effectBar(Class<?> bench, Peer peer, double nanos) {
    return Bars.check(List.of(row(bench, Map.of(), time(peer, nanos)))).stream().map(Verdict::met).toList();
  }

  @Test
  void aHandOverByEffectsMayTakeHalfAgainAsLongAsABareSwitch() {
    for (Class<?> bench : List.of(EffectSwitch.class, EffectSwitchStepped.class)) {
      Row row = row(bench, Map.of(), rate(BARE_SWITCH, 3), rate(EFFECT_PROMISE, 2), rate(EFFECT_SEMAPHORE, 1.9), rate(BATON_YIELD, 0.1));
      assertThat(Bars.check(List.of(row))).extracting(Verdict::met).containsExactly(true, false);
    }
    Row awaits = row(EffectAwaitAsync.class, Map.of(), time(BARE_SUPPLY, 100), time(BATON_AWAIT, 150), time(AWAIT_CALLABLE, 900));
    assertThat(Bars.check(List.of(awaits))).extracting(Verdict::met).containsExactly(true);
  }

  @Test
  void moreHandlersMustNotMakeAnEffectMuchSlower() {
    Row one = row(EffectPerform.class, Map.of("depth", "1"), time(BATON_PERFORM, 50));
    Row level = row(EffectPerform.class, Map.of("depth", "8"), time(BATON_PERFORM, 65));
    Row slower = row(EffectPerform.class, Map.of("depth", "8"), time(BATON_PERFORM, 66));

    assertThat(Bars.check(List.of(one, level))).extracting(Verdict::met).containsExactly(true, true, true);
    assertThat(Bars.check(List.of(one, slower))).extracting(Verdict::met).containsExactly(true, true, false);
    assertThat(Bars.check(List.of(one, slower)).getLast().measured()).isEqualTo("1.32x");
  }

  @Test
  void nothingIsSaidOfWhatWasNotRun() {
    assertThat(Bars.check(List.of())).isEmpty();
    assertThat(Bars.check(List.of(row(HandOver.class, Map.of("sectionNanos", "800"), rate(BATON, 1))))).isEmpty();
  }
}
