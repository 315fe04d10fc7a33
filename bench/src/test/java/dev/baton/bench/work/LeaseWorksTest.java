// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is measured of leases in memory does what it should: each work checks itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseWorksTest {
  @Test
  void aLeaseIsAcquiredAndReleased() throws Exception {
    LeasePair pair = new LeasePair();
    long first = pair.batonLease();
    assertThat(pair.batonLease()).isGreaterThan(first);
    pair.baton();
    pair.nothingIsLost();
  }

  @Test
  void manyLeasesAreHeldTogetherAndExpire() throws Exception {
    LiveLeases live = new LiveLeases();
    live.leases = 1_000;
    LeaseFootprint footprint = new LeaseFootprint();
    live.settle();
    live.acquire(footprint);
    live.expire();

    assertThat(footprint.heapPerLease).isBetween(50.0, 5_000.0);
    assertThat(footprint.expiryCpuNanos).isPositive();
  }
}
