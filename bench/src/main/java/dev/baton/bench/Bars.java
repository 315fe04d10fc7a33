// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.peer.Peer.BARE_HOP;
import static dev.baton.bench.peer.Peer.BARE_PARK;
import static dev.baton.bench.peer.Peer.BARE_SLEEPERS;
import static dev.baton.bench.peer.Peer.BARE_SUPPLY;
import static dev.baton.bench.peer.Peer.BARE_SWITCH;
import static dev.baton.bench.peer.Peer.BARE_THREADS;
import static dev.baton.bench.peer.Peer.BATON;
import static dev.baton.bench.peer.Peer.BATON_AWAIT;
import static dev.baton.bench.peer.Peer.BATON_BARRIER;
import static dev.baton.bench.peer.Peer.BATON_CHANNEL;
import static dev.baton.bench.peer.Peer.BATON_CHECK;
import static dev.baton.bench.peer.Peer.BATON_EXECUTOR;
import static dev.baton.bench.peer.Peer.BATON_LEASE;
import static dev.baton.bench.peer.Peer.BATON_MUTEX;
import static dev.baton.bench.peer.Peer.BATON_NOTIFY;
import static dev.baton.bench.peer.Peer.BATON_PARALLEL;
import static dev.baton.bench.peer.Peer.BATON_PERFORM;
import static dev.baton.bench.peer.Peer.BATON_POOL;
import static dev.baton.bench.peer.Peer.BATON_PROMISE;
import static dev.baton.bench.peer.Peer.BATON_RW;
import static dev.baton.bench.peer.Peer.BATON_SCOPE;
import static dev.baton.bench.peer.Peer.BATON_SELECT;
import static dev.baton.bench.peer.Peer.BATON_SPAWN;
import static dev.baton.bench.peer.Peer.BATON_STATE;
import static dev.baton.bench.peer.Peer.BATON_TASK;
import static dev.baton.bench.peer.Peer.BATON_YIELD;
import static dev.baton.bench.peer.Peer.COMMONS_POOL;
import static dev.baton.bench.peer.Peer.COMMONS_POOL_FAIR;
import static dev.baton.bench.peer.Peer.EFFECT_PERMIT;
import static dev.baton.bench.peer.Peer.EFFECT_PROMISE;
import static dev.baton.bench.peer.Peer.EFFECT_SEMAPHORE;
import static dev.baton.bench.peer.Peer.GATED_EXECUTOR;
import static dev.baton.bench.peer.Peer.GATED_FUTURES;
import static dev.baton.bench.peer.Peer.GET_AND_ADDS;
import static dev.baton.bench.peer.Peer.JOX;
import static dev.baton.bench.peer.Peer.JOX_SELECT;
import static dev.baton.bench.peer.Peer.JUC_FAIR;
import static dev.baton.bench.peer.Peer.JUC_NONFAIR;
import static dev.baton.bench.peer.Peer.KOTLIN;
import static dev.baton.bench.peer.Peer.KOTLIN_CHANNEL;
import static dev.baton.bench.peer.Peer.LOCK_FAIR;
import static dev.baton.bench.peer.Peer.MAP_CONCURRENT;
import static dev.baton.bench.peer.Peer.METERED;
import static dev.baton.bench.peer.Peer.METERED_MUTEX;
import static dev.baton.bench.peer.Peer.NAMED;
import static dev.baton.bench.peer.Peer.NAMED_MUTEX;
import static dev.baton.bench.peer.Peer.RECORDED;
import static dev.baton.bench.peer.Peer.RECORDED_MUTEX;
import static dev.baton.bench.peer.Peer.RW_FAIR;
import static dev.baton.bench.peer.Peer.RW_NONFAIR;
import static dev.baton.bench.peer.Peer.TRACKED;
import static dev.baton.bench.peer.Peer.TRACKED_MUTEX;
import static dev.baton.bench.peer.Peer.TRACKED_RW;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.BufferedMessages;
import dev.baton.bench.work.BufferedMessagesOnOneCarrier;
import dev.baton.bench.work.ContendedPermits;
import dev.baton.bench.work.ContendedPool;
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
import dev.baton.bench.work.LeasePair;
import dev.baton.bench.work.LiveLeases;
import dev.baton.bench.work.ManyTasks;
import dev.baton.bench.work.ObservedHold;
import dev.baton.bench.work.ObservedLock;
import dev.baton.bench.work.ObservedPair;
import dev.baton.bench.work.ObservedWait;
import dev.baton.bench.work.ParallelMap;
import dev.baton.bench.work.ParkedTasks;
import dev.baton.bench.work.ParkedTasksStepped;
import dev.baton.bench.work.ReadersAndWriters;
import dev.baton.bench.work.RendezvousMessages;
import dev.baton.bench.work.RendezvousMessagesOnOneCarrier;
import dev.baton.bench.work.SchedulesOnOneCarrier;
import dev.baton.bench.work.SchedulesStepped;
import dev.baton.bench.work.SelectMessages;
import dev.baton.bench.work.SleepingHolders;
import dev.baton.bench.work.Switch;
import dev.baton.bench.work.SwitchOnOneCarrier;
import dev.baton.bench.work.SwitchStepped;
import dev.baton.bench.work.TimedSelectMessages;
import dev.baton.bench.work.TrackedHold;
import dev.baton.bench.work.TrackedLock;
import dev.baton.bench.work.TrackedRead;
import dev.baton.bench.work.UncontendedMutex;
import dev.baton.bench.work.UncontendedPool;
import dev.baton.bench.work.UncontendedRead;
import dev.baton.bench.work.UncontendedSemaphore;
import dev.baton.bench.work.UncontendedWeighted;
import dev.baton.bench.work.UncontendedWrite;
import dev.baton.bench.work.WaiterMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What Baton promises about its speed and size, checked against every row that the promise speaks of. */
final class Bars {
  /** Level, but for the noise of a run. */
  private static final double NOT_BEHIND = 0.98;

  private static final List<Bar> ALL =
      List.of(
          atMostTheTime(UncontendedSemaphore.class, BATON, GET_AND_ADDS, 1.25),
          asFast(UncontendedSemaphore.class, Map.of(), BATON, JUC_FAIR, 1.4),
          asFast(UncontendedSemaphore.class, Map.of(), BATON, KOTLIN, NOT_BEHIND),
          allocatesNothing(UncontendedSemaphore.class, BATON),
          allocatesNothing(UncontendedWeighted.class, BATON),
          asFast(UncontendedMutex.class, Map.of(), BATON_MUTEX, LOCK_FAIR, 1.2),
          allocatesNothing(UncontendedMutex.class, BATON_MUTEX),
          asFast(ContendedPermits.class, Map.of(), BATON, JUC_FAIR, 1.5),
          asFast(ContendedPermits.class, Map.of(), BATON, JUC_NONFAIR, 1.5),
          asFast(HandOver.class, Map.of("sectionNanos", "10"), BATON, JUC_FAIR, 1.5),
          asFast(HandOver.class, Map.of("sectionNanos", "800"), BATON, JUC_FAIR, 1.8),
          asFast(HandOver.class, Map.of("sectionNanos", "800"), BATON, JUC_NONFAIR, 0.9),
          asFast(UncontendedRead.class, Map.of(), BATON_RW, RW_FAIR, 1.2),
          asFast(UncontendedRead.class, Map.of(), BATON_RW, RW_NONFAIR, 1.2),
          allocatesNothing(UncontendedRead.class, BATON_RW),
          asFast(UncontendedWrite.class, Map.of(), BATON_RW, RW_FAIR, 1.2),
          asFast(UncontendedWrite.class, Map.of(), BATON_RW, RW_NONFAIR, 1.2),
          allocatesNothing(UncontendedWrite.class, BATON_RW),
          asFast(ReadersAndWriters.class, Map.of(), BATON_RW, RW_FAIR, 1.3),
          atMostTheTime(HopOnOneCarrier.class, BATON_NOTIFY, BARE_HOP, 1.15),
          atMostTheTime(HopOnOneCarrier.class, BATON_BARRIER, BARE_HOP, 1.15),
          atMostTheTime(HopOnOneCarrier.class, BATON_PROMISE, BARE_HOP, 1.15),
          atMostTheTime(Hop.class, BATON_NOTIFY, BARE_HOP, 1.15),
          atMostTheTime(Hop.class, BATON_BARRIER, BARE_HOP, 1.15),
          atMostTheTime(Hop.class, BATON_PROMISE, BARE_HOP, 1.15),
          atMostTheTime(ForkJoin.class, BATON_SCOPE, BARE_THREADS, 1.15),
          asFast(ParallelMap.class, Map.of(), BATON_PARALLEL, MAP_CONCURRENT, 1),
          asFast(ParallelMap.class, Map.of(), BATON_PARALLEL, GATED_FUTURES, 1),
          threadsAtMost(ParallelMap.class, Map.of(), BATON_PARALLEL, 64),
          asFast(ManyTasks.class, Map.of(), BATON_EXECUTOR, GATED_EXECUTOR, 1.3),
          threadsAtMost(ManyTasks.class, Map.of("limit", "10"), BATON_EXECUTOR, 11),
          threadsAtMost(ManyTasks.class, Map.of("limit", "200"), BATON_EXECUTOR, 201),
          costsAtMost(TrackedLock.class, TRACKED_MUTEX, BATON_MUTEX, 15),
          costsAtMost(TrackedHold.class, TRACKED, BATON, 15),
          costsAtMost(TrackedRead.class, TRACKED_RW, BATON_RW, 15),
          costsAtMost(ObservedPair.class, NAMED, BATON, 2),
          costsAtMost(ObservedPair.class, RECORDED, BATON, 2),
          costsAtMost(ObservedPair.class, METERED, BATON, 2),
          costsAtMost(ObservedHold.class, NAMED, BATON, 2),
          costsAtMost(ObservedHold.class, METERED, BATON, 250),
          costsAtMost(ObservedLock.class, NAMED_MUTEX, BATON_MUTEX, 2),
          costsAtMost(ObservedLock.class, RECORDED_MUTEX, BATON_MUTEX, 2),
          costsAtMost(ObservedLock.class, METERED_MUTEX, BATON_MUTEX, 250),
          asFast(ObservedWait.class, Map.of("sectionNanos", "800"), NAMED, BATON, 0.9),
          asFast(SleepingHolders.class, Map.of(), BATON, BARE_SLEEPERS, 0.9),
          asFast(SleepingHolders.class, Map.of(), BATON, JUC_FAIR, NOT_BEHIND),
          asFast(InterruptStorm.class, Map.of("waiters", "16000"), BATON, JUC_FAIR, 30),
          waiterAtMost(64, " beyond its parked thread", row -> row.beyond(BATON, BARE_PARK)),
          waiterAtMost(
              64,
              " in objects of its own",
              row -> row.beyond(BATON, BARE_PARK) - row.stackBeyond(BATON, BARE_PARK)),
          atMostTheTime(SwitchStepped.class, BATON_YIELD, BARE_SWITCH, 1.15),
          atMostTheTime(SwitchOnOneCarrier.class, BATON_YIELD, BARE_SWITCH, 1.15),
          atMostTheTime(Switch.class, BATON_YIELD, BARE_SWITCH, 1.15),
          schedulesAtLeast(SchedulesStepped.class, 20_000),
          schedulesAtLeast(SchedulesOnOneCarrier.class, 5_000),
          taskAtMost(ParkedTasksStepped.class, 1_200),
          taskAtMost(ParkedTasks.class, 1_200),
          atMostTheTime(FastPath.class, BATON, GET_AND_ADDS, 1.25),
          asFast(BufferedMessages.class, Map.of("pairs", "1"), BATON_CHANNEL, JOX, 3),
          asFast(BufferedMessages.class, Map.of("pairs", "1"), BATON_CHANNEL, KOTLIN_CHANNEL, NOT_BEHIND),
          asFast(BufferedMessages.class, Map.of("pairs", "8"), BATON_CHANNEL, JOX, 1.5),
          asFast(RendezvousMessages.class, Map.of("pairs", "1"), BATON_CHANNEL, JOX, 1.3),
          asFast(RendezvousMessages.class, Map.of("pairs", "8"), BATON_CHANNEL, JOX, 1.3),
          asFast(RendezvousMessages.class, Map.of("pairs", "1000"), BATON_CHANNEL, JOX, 2),
          asFast(BufferedMessagesOnOneCarrier.class, Map.of("pairs", "1"), BATON_CHANNEL, JOX, 2.4),
          asFast(RendezvousMessagesOnOneCarrier.class, Map.of("pairs", "1"), BATON_CHANNEL, JOX, 5),
          asFast(SelectMessages.class, Map.of(), BATON_SELECT, JOX_SELECT, 1.8),
          asFast(TimedSelectMessages.class, Map.of(), BATON_SELECT, JOX_SELECT, 5),
          asFast(JoxPair.class, Map.of(), BATON_CHANNEL, JOX, 1),
          asFast(JoxRendezvousChain.class, Map.of(), BATON_CHANNEL, JOX, 1),
          asFast(JoxChain.class, Map.of(), BATON_CHANNEL, JOX, 1),
          asFast(JoxRendezvousParallel.class, Map.of(), BATON_CHANNEL, JOX, 1),
          asFast(JoxParallel.class, Map.of(), BATON_CHANNEL, JOX, 1),
          asFast(JoxSelects.class, Map.of(), BATON_SELECT, JOX_SELECT, 1),
          asFast(UncontendedPool.class, Map.of(), BATON_POOL, COMMONS_POOL, 1.5),
          asFast(ContendedPool.class, Map.of(), BATON_POOL, COMMONS_POOL, 1.5),
          asFast(ContendedPool.class, Map.of(), BATON_POOL, COMMONS_POOL_FAIR, 1.5),
          takesAtMost(EffectPerform.class, BATON_PERFORM, 100),
          takesAtMost(EffectState.class, BATON_STATE, 250),
          takesAtMost(EffectPermit.class, EFFECT_PERMIT, 250),
          takesAtMost(EffectSpawnStepped.class, BATON_SPAWN, 1_500),
          takesAtMost(EffectSpawn.class, BATON_SPAWN, 3_000),
          atMostTheTime(EffectSwitchStepped.class, EFFECT_PROMISE, BARE_SWITCH, 1.5),
          atMostTheTime(EffectSwitchStepped.class, EFFECT_SEMAPHORE, BARE_SWITCH, 1.5),
          atMostTheTime(EffectSwitch.class, EFFECT_PROMISE, BARE_SWITCH, 1.5),
          atMostTheTime(EffectSwitch.class, EFFECT_SEMAPHORE, BARE_SWITCH, 1.5),
          takesAtMost(EffectAwait.class, BATON_AWAIT, 1_000),
          atMostTheTime(EffectAwaitAsync.class, BATON_AWAIT, BARE_SUPPLY, 1.5),
          takesAtMost(LeasePair.class, BATON_LEASE, 1_000));

  private static final Class<?> LINEAR = InterruptStorm.class;
  private static final int LINEAR_FROM = 8_000;
  private static final double LINEAR_LIMIT = 2;
  private static final double DEPTH_LIMIT = 1.3;
  private static final double LEASES_LIMIT = 2;

  private Bars() {}

  /**
   * One promise.
   *
   * @param bench the class whose rows it speaks of, and {@code where} the parameters they must have
   * @param atLeast whether the limit is the least allowed value or the greatest
   */
  record Bar(
      Class<?> bench,
      Map<String, String> where,
      String claim,
      ToDoubleFunction<Row> measured,
      boolean atLeast,
      double limit,
      DoubleFunction<String> format) {
    boolean speaksOf(Row row) {
      return row.bench().equals(bench)
          && row.params().entrySet().containsAll(where.entrySet())
          && !Double.isNaN(measured.applyAsDouble(row));
    }

    Verdict check(Row row) {
      double value = measured.applyAsDouble(row);
      boolean met = atLeast ? value >= limit : value <= limit;
      return new Verdict(row.work() + ": " + claim, met, format.apply(value));
    }
  }

  /** How one promise fared. */
  record Verdict(String claim, boolean met, String measured) {
    @Override
    public String toString() {
      return "bar: " + claim + ": " + (met ? "met" : "MISSED") + " (measured " + measured + ")";
    }
  }

  /** One verdict for each promise and each row with all that it compares. */
  static List<Verdict> check(List<Row> rows) {
    List<Verdict> verdicts = new ArrayList<>();
    List<Bar> bars =
        Stream.concat(ALL.stream(), MoreSuites.FOUND.stream().flatMap(more -> more.bars().stream())).toList();
    for (Row row : rows) {
      bars.stream().filter(bar -> bar.speaksOf(row)).forEach(bar -> verdicts.add(bar.check(row)));
    }
    linear(rows, verdicts);
    depth(rows, verdicts);
    for (String each : List.of(Measurement.PER_LEASE, Measurement.EXPIRY)) {
      grows(rows, LiveLeases.class, "leases", each, row -> row.extra(BATON_LEASE, each), LEASES_LIMIT, verdicts);
    }
    MoreSuites.FOUND.forEach(more -> more.compare(rows, verdicts));
    return verdicts;
  }

  /** A figure must not be more than so many times what it is where {@code param} is least. */
  static void grows(
      List<Row> rows,
      Class<?> bench,
      String param,
      String what,
      ToDoubleFunction<Row> figure,
      double limit,
      List<Verdict> verdicts) {
    List<Row> sizes =
        rows.stream()
            .filter(row -> row.bench().equals(bench) && !Double.isNaN(figure.applyAsDouble(row)))
            .sorted(Comparator.comparingInt(row -> Integer.parseInt(row.params().getOrDefault(param, "0"))))
            .toList();
    for (Row row : sizes.subList(Math.min(1, sizes.size()), sizes.size())) {
      double ratio = figure.applyAsDouble(row) / figure.applyAsDouble(sizes.getFirst());
      String least = Format.grouped(sizes.getFirst().params().getOrDefault(param, ""));
      verdicts.add(
          new Verdict(
              row.work() + ": " + what + " at most " + Format.limit(limit) + "x that with " + least,
              ratio <= limit,
              Format.times(ratio)));
    }
  }

  /** To find a handler must not take longer the more of them there are. */
  private static void depth(List<Row> rows, List<Verdict> verdicts) {
    double shallow = Double.NaN;
    for (Row row : rows) {
      if (row.bench().equals(EffectPerform.class)) {
        double nanos = row.of(BATON_PERFORM).map(Measurement::score).orElse(Double.NaN);
        if ("1".equals(row.params().get("depth"))) {
          shallow = nanos;
        } else if (!Double.isNaN(nanos / shallow)) {
          verdicts.add(
              new Verdict(
                  row.work() + ": " + BATON_PERFORM.label() + " at most " + Format.limit(DEPTH_LIMIT) + "x the time with one set",
                  nanos / shallow <= DEPTH_LIMIT,
                  Format.times(nanos / shallow)));
        }
      }
    }
  }

  /** The largest storm must cost no more per waiter than twice what a middling one does; quadratic would be 8 times. */
  private static void linear(List<Row> rows, List<Verdict> verdicts) {
    double base = Double.NaN;
    for (Row row : rows) {
      if (row.bench().equals(LINEAR)) {
        int waiters = Integer.parseInt(row.params().getOrDefault("waiters", "0"));
        double each = row.extra(BATON, Measurement.PER_WAITER);
        if (waiters >= LINEAR_FROM && Double.isNaN(base)) {
          base = each;
        } else if (waiters >= 4 * LINEAR_FROM) {
          verdicts.add(
              new Verdict(
                  row.work() + ": Baton Semaphore is linear (at most 2x the time per waiter of a small storm)",
                  each / base <= LINEAR_LIMIT,
                  Format.times(each / base)));
        }
      }
    }
  }

  static Bar asFast(Class<?> bench, Map<String, String> where, Peer ours, Peer theirs, double limit) {
    String least = limit == NOT_BEHIND ? "not behind " : "at least " + Format.limit(limit) + "x as fast as ";
    return new Bar(
        bench,
        where,
        ours.label() + " " + least + theirs.label(),
        row -> row.speed(ours, theirs),
        true,
        limit,
        Format::times);
  }

  private static Bar atMostTheTime(Class<?> bench, Peer ours, Peer floor, double limit) {
    return new Bar(
        bench,
        Map.of(),
        ours.label() + " at most " + Format.limit(limit) + "x the time of " + floor.label(),
        row -> 1 / row.speed(ours, floor),
        false,
        limit,
        Format::times);
  }

  private static Bar takesAtMost(Class<?> bench, Peer ours, double nanos) {
    return new Bar(
        bench,
        Map.of(),
        ours.label() + " takes at most " + Format.number(nanos) + " ns",
        row -> row.of(ours).map(Measurement::score).orElse(Double.NaN),
        false,
        nanos,
        taken -> Format.number(taken) + " ns");
  }

  private static Bar waiterAtMost(double limit, String of, ToDoubleFunction<Row> measured) {
    return new Bar(
        WaiterMemory.class,
        Map.of(),
        "a waiter in " + BATON.label() + " takes at most " + Format.limit(limit) + " B" + of,
        measured,
        false,
        limit,
        bytes -> Format.number(bytes) + " B");
  }

  private static Bar costsAtMost(Class<?> bench, Peer ours, Peer plain, double nanos) {
    return new Bar(
        bench,
        Map.of(),
        ours.label() + " costs at most " + Format.limit(nanos) + " ns more than " + plain.label(),
        row -> row.beyond(ours, plain),
        false,
        nanos,
        more -> Format.number(more) + " ns");
  }

  /** Of the program in which each of three tasks does ten operations; the smaller one is only reported. */
  private static Bar schedulesAtLeast(Class<?> bench, double limit) {
    return new Bar(
        bench,
        Map.of("operations", "30"),
        BATON_CHECK.label() + " tries at least " + Format.number(limit) + " in a second",
        row -> row.of(BATON_CHECK).map(Measurement::score).orElse(Double.NaN),
        true,
        limit,
        rate -> Format.number(rate) + " a second");
  }

  private static Bar taskAtMost(Class<?> bench, double limit) {
    return new Bar(
        bench,
        Map.of(),
        BATON_TASK.label() + " takes at most " + Format.number(limit) + " B of heap",
        row -> row.of(BATON_TASK).map(Measurement::score).orElse(Double.NaN),
        false,
        limit,
        bytes -> Format.number(bytes) + " B");
  }

  private static Bar threadsAtMost(Class<?> bench, Map<String, String> where, Peer ours, int limit) {
    return new Bar(
        bench,
        where,
        ours.label() + " has at most " + limit + " threads alive",
        row -> row.extra(ours, Measurement.PEAK_THREADS),
        false,
        limit,
        Format::number);
  }

  /** Less than 0.05 B: what the profiler itself allocates, spread over the operations. */
  private static Bar allocatesNothing(Class<?> bench, Peer ours) {
    return new Bar(
        bench,
        Map.of(),
        ours.label() + " allocates nothing",
        row -> row.extra(ours, Measurement.BYTES),
        false,
        0.05,
        bytes -> Format.number(bytes) + " B/op");
  }
}
