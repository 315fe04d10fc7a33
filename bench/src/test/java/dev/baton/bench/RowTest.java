// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.Rows.rate;
import static dev.baton.bench.Rows.row;
import static dev.baton.bench.Rows.time;
import static dev.baton.bench.peer.Peer.BATON;
import static dev.baton.bench.peer.Peer.JUC_FAIR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {
  @Test
  void halfTheTimeIsTwiceAsFast() {
    Row row = row(Object.class, Map.of(), time(BATON, 10), time(JUC_FAIR, 20));

    assertThat(row.speed(BATON, JUC_FAIR)).isEqualTo(2);
    assertThat(row.speed(JUC_FAIR, BATON)).isEqualTo(0.5);
  }

  @Test
  void twiceTheRateIsTwiceAsFast() {
    Row row = row(Object.class, Map.of(), rate(BATON, 3), rate(JUC_FAIR, 1.5));

    assertThat(row.speed(BATON, JUC_FAIR)).isEqualTo(2);
  }

  @Test
  void whatWasNotMeasuredHasNoRatio() {
    Row row = row(Object.class, Map.of(), time(BATON, 10));

    assertThat(row.speed(BATON, JUC_FAIR)).isNaN();
    assertThat(row.beyond(BATON, JUC_FAIR)).isNaN();
    assertThat(row.extra(JUC_FAIR, Measurement.BYTES)).isNaN();
  }
}
