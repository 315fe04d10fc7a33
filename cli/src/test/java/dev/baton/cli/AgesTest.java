// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
  @ParameterizedTest
  @CsvSource({"PT0S, 0ms", "PT0.35S, 350ms", "PT12.9S, 12s", "PT3M5S, 3m 5s", "PT5M, 5m", "PT2H4M59S, 2h 4m", "P6DT1H, 6d 1h"})
  void atMostTwoUnits(String time, String text) {
    assertThat(Ages.text(Duration.parse(time))).isEqualTo(text);
  }
}
