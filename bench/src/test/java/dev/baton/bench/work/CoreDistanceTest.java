// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class CoreDistanceTest {
  @Test
  void aValueTakesSomeTimeToTheOtherCore() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "with one core there is no other");

    // Negative on a machine so busy that two threads are never at work together.
    assertThat(CoreDistance.measure()).isNotZero().isLessThan(2_000);
  }
}
