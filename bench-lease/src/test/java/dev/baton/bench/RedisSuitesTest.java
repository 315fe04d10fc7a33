// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.peer.Peer.BARE_PINGS;
import static dev.baton.bench.peer.Peer.BATON_REDIS;
import static dev.baton.bench.peer.Peer.CURATOR;
import static dev.baton.bench.peer.Peer.REDISSON_PERMIT;
import static dev.baton.bench.peer.Peer.REDISSON_SEMAPHORE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.Bars.Verdict;
import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.RemoteContended;
import dev.baton.bench.work.RemoteLine;
import dev.baton.bench.work.RemoteOwnNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisSuitesTest {
  @Test
  void theSuiteIsFoundByItsNameAndIsNotOneOfAll() {
    assertThat(Suites.named("redis")).isPresent();
    assertThat(Suites.names()).doesNotContain("redis");
    assertThat(new RedisSuites().suites()).extracting(Suite::name).containsExactlyElementsOf(Suites.ELSEWHERE.keySet());
  }

  @Test
  void everyImplementationIsKnownAndStandsBesideWhatItIsComparedWith() {
    for (Work work : Suites.named("redis").orElseThrow().works()) {
      List<Peer> peers = work.params(false, Map.of()).getOrDefault(Work.IMPL, List.of()).stream().map(Peer::of).toList();
      assertThat(peers).isNotEmpty().allSatisfy(peer -> assertThat(peers).contains(peer.counterpart()));
    }
  }

  @Test
  void aLabelShowsAllParametersButTheImplementation() {
    for (Work work : Suites.named("redis").orElseThrow().works()) {
      for (var point : work.points(false, Map.of())) {
        Map<String, String> values = new HashMap<>();
        point.forEach((name, list) -> values.put(name, list.getFirst()));
        values.remove(Work.IMPL);
        String label = work.label(values);
        assertThat(label).doesNotContain("{");
        values.values().forEach(value -> assertThat(label).contains(Format.grouped(value)));
      }
    }
  }

  @Test
  void aNameOfOnesOwnIsServedFasterThanByOthersAndWithOneCommandEach() {
    assertThat(met(ownNames("64", 50, 10, 1, 1))).containsExactly(true, true, true, true, true, true);
    assertThat(met(ownNames("64", 49, 10, 1, 1))).containsExactly(false, true, false, false, true, true);
    assertThat(met(ownNames("64", 50, 10, 1.005, 2))).containsExactly(true, true, true, true, false, false);
    assertThat(met(ownNames("1", 5, 1, 1, 1))).as("of one caller, less is promised").containsExactly(true, true, true);
  }

  private static Row ownNames(String callers, double ours, double curator, double acquire, double release) {
    return row(
        RemoteOwnNames.class,
        Map.of("threads", callers),
        rate(BARE_PINGS, 76, Map.of()),
        rate(BATON_REDIS, ours, Map.of(Measurement.PER_ACQUIRE, acquire, Measurement.PER_RELEASE, release)),
        rate(REDISSON_PERMIT, 20, Map.of()),
        rate(REDISSON_SEMAPHORE, 19, Map.of()),
        rate(CURATOR, curator, Map.of()));
  }

  @Test
  void manyCallersOnFewPermitsAreServedFasterSoonerAndEvenly() {
    assertThat(met(contended(23, 10, 80, 2))).containsExactly(true, true, true, true, true);
    assertThat(met(contended(22, 11, 80, 2.1))).containsExactly(false, false, false, false, false);
  }

  private static Row contended(double ours, double p99, double theirP99, double spread) {
    Map<String, Double> theirs = Map.of(Measurement.P99_WAIT, theirP99, Measurement.SPREAD, 50.0);
    return row(
        RemoteContended.class,
        Map.of(),
        rate(BATON_REDIS, ours, Map.of(Measurement.P99_WAIT, p99, Measurement.SPREAD, spread)),
        rate(REDISSON_PERMIT, 10, theirs),
        rate(REDISSON_SEMAPHORE, 9.9, theirs));
  }

  @Test
  void aLongLineMustNotMakeAHandOverDearer() {
    assertThat(met(line(100, 15, 3), line(10_000, 10, 3))).containsExactly(true, true, true);
    assertThat(met(line(100, 15, 3), line(10_000, 9.9, 3.2))).containsExactly(true, false, false);
  }

  private static Row line(int waiters, double rate, double commands) {
    return row(
        RemoteLine.class,
        Map.of("waiters", String.valueOf(waiters)),
        rate(BATON_REDIS, rate, Map.of(Measurement.PER_ROUND, commands)));
  }

  private static List<Boolean> met(Row... rows) {
    return Bars.check(List.of(rows)).stream().map(Verdict::met).toList();
  }

  private static Row row(Class<?> bench, Map<String, String> params, Measurement... measurements) {
    return new Row("redis", bench, "the work", params, List.of(measurements));
  }

  private static Measurement rate(Peer peer, double rate, Map<String, Double> extras) {
    return new Measurement(peer, rate, Double.NaN, "ops/ms", true, extras);
  }
}
