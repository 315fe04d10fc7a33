// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 31, 32, 63, 64, 65, 1_000, 123_456, 5_000_000_000L, Long.MAX_VALUE / 3})
  void aLengthIsFoundAgainWithinThreePercent(long nanos) {
    Waits waits = new Waits();
    waits.add(nanos);

    assertThat(percentile(waits, 0.5)).isGreaterThanOrEqualTo(nanos).isCloseTo(nanos, Percentage.withPercentage(3.2));
  }

  @Test
  void thePercentileLeavesOutTheLongest() {
    Waits waits = new Waits();
    for (int i = 1; i <= 1_000; i++) {
      waits.add(i * 1_000L);
    }

    assertThat(percentile(waits, 0.99)).isCloseTo(990_000, Percentage.withPercentage(3.2));
    assertThat(percentile(waits, 0.5)).isCloseTo(500_000, Percentage.withPercentage(3.2));
    assertThat(percentile(new Waits(), 0.99)).isZero();
  }

  private static long percentile(Waits waits, double part) {
    long[] sums = Waits.none();
    waits.addTo(sums);
    return Waits.percentile(sums, part);
  }
}
