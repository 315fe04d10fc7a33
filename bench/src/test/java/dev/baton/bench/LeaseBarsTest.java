// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.Rows.row;
import static dev.baton.bench.Rows.time;
import static dev.baton.bench.peer.Peer.BATON;
import static dev.baton.bench.peer.Peer.BATON_LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.Bars.Verdict;
import dev.baton.bench.work.LeasePair;
import dev.baton.bench.work.LiveLeases;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaseBarsTest {
  @Test
  void aLeaseTakesAtMostAMicrosecond() {
    Row quick = row(LeasePair.class, Map.of(), time(BATON, 20), time(BATON_LEASE, 1_000));
    Row slow = row(LeasePair.class, Map.of(), time(BATON, 20), time(BATON_LEASE, 1_001));

    assertThat(Bars.check(List.of(quick))).extracting(Verdict::met).containsExactly(true);
    assertThat(Bars.check(List.of(slow))).extracting(Verdict::met).containsExactly(false);
  }

  @Test
  void aMillionLeasesTakeNoMoreEachThanTwiceWhatFewerDo() {
    Row few = live(100_000, 1, 2);

    assertThat(Bars.check(List.of(few))).isEmpty();
    assertThat(Bars.check(List.of(live(1_000_000, 2, 4), few))).extracting(Verdict::met).containsExactly(true, true);
    assertThat(Bars.check(List.of(few, live(1_000_000, 2, 4.1)))).extracting(Verdict::met).containsExactly(true, false);
    assertThat(Bars.check(List.of(few, live(1_000_000, 2.1, 1))))
        .extracting(Verdict::toString)
        .first()
        .isEqualTo("bar: the work: µs per acquire at most 2x that with 100,000: MISSED (measured 2.10x)");
  }

  private static Row live(int leases, double micros, double expiry) {
    Map<String, Double> extras = Map.of(Measurement.PER_LEASE, micros, Measurement.EXPIRY, expiry, Measurement.HEAP_EACH, 300.0);
    return row(
        LiveLeases.class,
        Map.of("leases", String.valueOf(leases)),
        new Measurement(BATON_LEASE, leases * micros / 1e3, 0, "ms/op", false, extras));
  }
}
