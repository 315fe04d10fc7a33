// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import dev.baton.check.Check;
import dev.baton.check.Report;
import dev.baton.check.Strategy;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Prints how many schedules it takes to find each bug, as a table in Markdown. */
final class CorpusReport {
  private static final int RUNS = 5;

  private CorpusReport() {}

  public static void main(String[] args) {
    System.out.println("| bug | kind | random | PCT | exhaustive |");
    System.out.println("|---|---|--:|--:|--:|");
    for (Bug bug : Corpus.all()) {
      String random = median(bug, check -> check.strategy(Strategy.random()));
      String pct = median(bug, check -> check.strategy(Strategy.pct()));
      String exhaustive =
          bug.small() ? needed(bug, CorpusTest.search(bug.broken()).exhaustive(CorpusTest.PREEMPTIONS).search()) : "";
      System.out.printf("| %s | %s | %s | %s | %s |%n", bug.name(), bug.kind(), random, pct, exhaustive);
    }
  }

  /** The schedules needed in the middle one of several searches, each with seeds of its own. */
  private static String median(Bug bug, UnaryOperator<Check> strategy) {
    return IntStream.range(0, RUNS)
        .mapToObj(run -> CorpusTest.search(bug.broken()).seeds(bug.budget()).firstSeed(1_000_000L * run))
        .map(check -> strategy.apply(check).search())
        .map(report -> needed(bug, report))
        .sorted((a, b) -> a.length() != b.length() ? a.length() - b.length() : a.compareTo(b)) // by number, failures last
        .skip(RUNS / 2)
        .findFirst()
        .orElseThrow();
  }

  private static String needed(Bug bug, Report report) {
    return report.failure()
        .map(failure -> failure.kind() == bug.kind() ? "" + report.schedules() : "as " + failure.kind())
        .orElse("not found in " + report.schedules());
  }
}
