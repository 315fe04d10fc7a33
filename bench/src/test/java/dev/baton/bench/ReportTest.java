// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static dev.baton.bench.Rows.row;
import static dev.baton.bench.Rows.time;
import static dev.baton.bench.peer.Peer.BARE_PARK;
import static dev.baton.bench.peer.Peer.BARE_PARKED;
import static dev.baton.bench.peer.Peer.BATON;
import static dev.baton.bench.peer.Peer.BATON_MUTEX;
import static dev.baton.bench.peer.Peer.BATON_TASK;
import static dev.baton.bench.peer.Peer.JUC_FAIR;
import static dev.baton.bench.peer.Peer.LOCK_FAIR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.work.UncontendedSemaphore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Row PAIR =
      row(UncontendedSemaphore.class, Map.of(), time(BATON, 14.87), time(JUC_FAIR, 23.54));

  @Test
  void aTableHasALinePerImplementationAndTheRatioAgainstEachPeer() {
    assertThat(Report.table(PAIR))
        .hasToString(
            """
            | implementation        | score |   error |  unit |      Baton is | B/op |
            |:----------------------|------:|--------:|------:|--------------:|-----:|
            | Baton Semaphore       |  14.9 | ± 0.500 | ns/op |               |    0 |
            | j.u.c Semaphore, fair |  23.5 | ± 0.500 | ns/op | 1.58x as fast |    0 |
            """);
  }

  @Test
  void figuresKeepThreeDigitsThatMatter() {
    assertThat(List.of(0.0123, 1.234, 12.34, 123.4, 1234.5).stream().map(Format::number))
        .containsExactly("0.012", "1.23", "12.3", "123", "1,235");
    assertThat(Format.number(0.0001)).isEqualTo("0");
  }

  @Test
  void aLockIsComparedWithTheMutex() {
    Row row = row(Object.class, Map.of(), time(BATON, 5), time(BATON_MUTEX, 10), time(LOCK_FAIR, 30));

    assertThat(Report.table(row).toString()).contains("3.00x as fast").doesNotContain("6.00x");
  }

  @Test
  void sizesAreReportedBeyondTheFloor() {
    Row row =
        row(
            Object.class,
            Map.of(),
            new Measurement(BARE_PARK, 600, 0, "B/thread", false, Map.of(Measurement.STACK, 200.0)),
            new Measurement(BATON, 800, 0, "B/thread", false, Map.of(Measurement.STACK, 340.0)));

    assertThat(Report.table(row).toString())
        .contains("beyond bare park", "200 = objects 60 + stack 140")
        .doesNotContain("as fast");
  }

  @Test
  void soAreThoseOfTasks() {
    Row row =
        row(
            Object.class,
            Map.of(),
            new Measurement(BARE_PARKED, 500, 0, "B/thread", false, Map.of()),
            new Measurement(BATON_TASK, 1_100, 0, "B/thread", false, Map.of()));

    assertThat(Report.table(row).toString()).contains("beyond bare park", "600").doesNotContain("as fast");
  }

  @Test
  void thePageShowsTheMachineTheTablesTheChartAndTheBars() {
    Report report = new Report(new Machine(List.of("machine: a test")), "Take care.", List.of(PAIR));

    assertThat(report.markdown())
        .contains("- machine: a test", "Take care.", "### the work", Report.table(PAIR).toString())
        .contains("](chart-suite.svg)")
        .contains("- bar: the work: Baton Semaphore at least 1.4x as fast as j.u.c Semaphore, fair: met");
    assertThat(report.text()).contains(Report.table(PAIR).toString(), "met (measured 1.58x)");
  }

  @Test
  void theLongestBarOfAChartIsTheLargestScore() {
    assertThat(Chart.of(List.of(PAIR)))
        .startsWith("<svg ")
        .contains("width=\"460.0\"", "width=\"290.6\"", ">14.9 ns/op</text>", "(less is better)");
  }

  @Test
  void jsonHasScoresAndBars() {
    Report report = new Report(new Machine(List.of("a \"quoted\" line")), "", List.of(PAIR));

    assertThat(Json.of(report))
        .contains("\"machine\":[\"a \\\"quoted\\\" line\"]", "\"score\":14.87", "\"met\":true");
  }
}
