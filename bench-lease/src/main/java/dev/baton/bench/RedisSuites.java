// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.peer.Peer.BARE_PINGS;
import static dev.baton.bench.peer.Peer.BATON_REDIS;
import static dev.baton.bench.peer.Peer.CURATOR;
import static dev.baton.bench.peer.Peer.REDISSON_PERMIT;
import static dev.baton.bench.peer.Peer.REDISSON_SEMAPHORE;

import dev.baton.bench.Bars.Bar;
import dev.baton.bench.Bars.Verdict;
import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.RemoteContended;
import dev.baton.bench.work.RemoteIdle;
import dev.baton.bench.work.RemoteLine;
import dev.baton.bench.work.RemoteOwnNames;
import java.util.List;
import java.util.Map;

/** Leases on Redis beside what else there is for that. */
public final class RedisSuites implements MoreSuites {
  private static final Map<String, String> MANY = Map.of("threads", "64");
  private static final double EXACTLY_ONE = 1;
  private static final double FAIR_PERCENT = 2;
  private static final double AN_EIGHTH = 0.125;

  /** One to stand in line, one to claim what was handed over, one to give it back; and looks and beats now and then. */
  private static final double COMMANDS_PER_HAND_OVER = 3.1;

  private static final double FLAT = 1.5;

  /** Called by the service loader. */
  public RedisSuites() {}

  @Override
  public List<Suite> suites() {
    return List.of(
        new Suite(
            "redis",
            Suites.ELSEWHERE.getOrDefault("redis", ""),
            1,
            List.of(
                new Work(RemoteOwnNames.class, "acquire + release, callers with a name each: {threads}"),
                new Work(RemoteContended.class, "{permits} permits of one name, {threads} callers"),
                new Work(RemoteLine.class, "1 permit of one name, {waiters} waiters").quick("waiters", "100"),
                new Work(RemoteIdle.class, "{waiters} waiters while nothing happens, for {seconds} s").quick("waiters", "100").quick("seconds", "2"))));
  }

  @Override
  public List<Bar> bars() {
    return List.of(
        Bars.asFast(RemoteOwnNames.class, MANY, BATON_REDIS, REDISSON_PERMIT, 2.5),
        Bars.asFast(RemoteOwnNames.class, MANY, BATON_REDIS, REDISSON_SEMAPHORE, 2.5),
        Bars.asFast(RemoteOwnNames.class, MANY, BATON_REDIS, BARE_PINGS, 0.65),
        Bars.asFast(RemoteOwnNames.class, Map.of(), BATON_REDIS, CURATOR, 5),
        exactlyOne(Measurement.PER_ACQUIRE),
        exactlyOne(Measurement.PER_RELEASE),
        Bars.asFast(RemoteContended.class, Map.of(), BATON_REDIS, REDISSON_PERMIT, 2.3),
        Bars.asFast(RemoteContended.class, Map.of(), BATON_REDIS, REDISSON_SEMAPHORE, 2.3),
        waitsLess(REDISSON_PERMIT),
        waitsLess(REDISSON_SEMAPHORE),
        new Bar(
            RemoteContended.class,
            Map.of(),
            BATON_REDIS.label() + ": operations of callers within " + Format.limit(FAIR_PERCENT) + " % of each other",
            row -> row.extra(BATON_REDIS, Measurement.SPREAD),
            false,
            FAIR_PERCENT,
            percent -> Format.number(percent) + " %"),
        new Bar(
            RemoteLine.class,
            Map.of(),
            BATON_REDIS.label() + " sends at most " + Format.limit(COMMANDS_PER_HAND_OVER) + " commands for a hand-over",
            row -> row.extra(BATON_REDIS, Measurement.PER_ROUND),
            false,
            COMMANDS_PER_HAND_OVER,
            Format::number));
  }

  private static Bar exactlyOne(String what) {
    return new Bar(
        RemoteOwnNames.class,
        Map.of(),
        BATON_REDIS.label() + ": " + what + " exactly 1",
        row -> Math.abs(row.extra(BATON_REDIS, what) - EXACTLY_ONE),
        false,
        0,
        off -> off == 0 ? "1" : Format.number(off) + " off");
  }

  private static Bar waitsLess(Peer theirs) {
    return new Bar(
        RemoteContended.class,
        Map.of(),
        BATON_REDIS.label() + ": p99 wait at most 1/8 of that of " + theirs.label(),
        row -> row.extra(BATON_REDIS, Measurement.P99_WAIT) / row.extra(theirs, Measurement.P99_WAIT),
        false,
        AN_EIGHTH,
        ratio -> "1/" + Format.number(1 / ratio));
  }

  /** A hand-over must not cost more the more there are who wait for theirs. */
  @Override
  public void compare(List<Row> rows, List<Verdict> verdicts) {
    Bars.grows(
        rows,
        RemoteLine.class,
        "waiters",
        "time per hand-over",
        row -> 1 / row.of(BATON_REDIS).map(Measurement::score).orElse(Double.NaN),
        FLAT,
        verdicts);
  }
}
