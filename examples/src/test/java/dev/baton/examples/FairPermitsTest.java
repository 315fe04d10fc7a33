// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The example shows what it claims to show. One run serves all tests. */
class FairPermitsTest {
  private static final Pattern ROW = Pattern.compile(" {2}(\\w+) +([█·]{60}) {2} ?(\\d+) turns");
  private static final Pattern NUMBERS = Pattern.compile(
      "Overtaken: j\\.u\\.c\\. (\\d+) times, Baton (\\d+)\\. "
          + "Longest wait: j\\.u\\.c\\. (\\d+) ms, Baton (\\d+) ms\\.");

  private static List<String> output = List.of();

  @BeforeAll
  static void run() throws Exception {
    ProgramRun run = ProgramRun.of(Checkout.root().resolve("examples/FairPermits.java"));
    assertThat(run.exitCode()).as(() -> String.join("\n", run.output())).isZero();
    output = run.output();
  }

  @Test
  void withBatonNobodyIsOvertakenAndEverybodyGetsTheSameShare() {
    assertThat(number(2)).isZero();
    assertThat(rowsBelow("Baton:")).hasSize(5).allSatisfy(row -> assertThat(row.group(3)).isEqualTo("6"));
  }

  @Test
  void withTheDefaultOfTheJdkSomebodyIsOvertaken() {
    // Not the milliseconds beside it: a machine may stand still in either half.
    assertThat(number(1)).isPositive();
    assertThat(rowsBelow("java.util.concurrent:")).hasSize(5);
  }

  @Test
  void atMostOneRunnerHoldsThePermitInAnyColumn() {
    for (String title : List.of("Baton:", "java.util.concurrent:")) {
      List<MatchResult> rows = rowsBelow(title);
      for (int column = 0; column < 60; column++) {
        int at = column;
        assertThat(rows.stream().filter(row -> row.group(2).charAt(at) == '█').count()).isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void thePictureFitsASmallTerminal() {
    assertThat(output).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  private static List<MatchResult> rowsBelow(String title) {
    return output.stream()
        .dropWhile(line -> !line.startsWith(title))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .flatMap(line -> ROW.matcher(line).results())
        .toList();
  }

  private static long number(int group) {
    var numbers = NUMBERS.matcher(output.getLast());
    assertThat(numbers.matches()).as(output.getLast()).isTrue();
    return Long.parseLong(numbers.group(group));
  }
}
