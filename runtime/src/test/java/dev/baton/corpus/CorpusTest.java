// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.check.Check;
import dev.baton.check.Failure;
import dev.baton.check.Kind;
import dev.baton.check.Program;
import dev.baton.check.Report;
import dev.baton.check.Strategy;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bug is found, as what it is, and nothing is found where there is none. */
class CorpusTest {
  private static final int SEEDS_FOR_TWINS = 300;
  static final int PREEMPTIONS = 2;

  /** Far more than any program of the corpus needs that ends at all. */
  private static final long STEPS = 5_000;

  static List<Bug> all() {
    return Corpus.all();
  }

  static List<Bug> small() {
    return Corpus.all().stream().filter(Bug::small).toList();
  }

  @ParameterizedTest
  @MethodSource("all")
  void randomSchedulesFindTheBug(Bug bug) {
    assertFound(bug, search(bug.broken()).seeds(bug.budget()).strategy(Strategy.random()).search());
  }

  @ParameterizedTest
  @MethodSource("all")
  void prioritySchedulesFindTheBug(Bug bug) {
    assertFound(bug, search(bug.broken()).seeds(bug.budget()).strategy(Strategy.pct()).search());
  }

  @ParameterizedTest
  @MethodSource("small")
  void tryingAllFindsTheBug(Bug bug) {
    assertFound(bug, search(bug.broken()).exhaustive(PREEMPTIONS).search());
  }

  @ParameterizedTest
  @MethodSource("all")
  void randomSchedulesFindNothingInTheTwin(Bug bug) {
    assertPassed(bug, search(bug.fixed()).seeds(SEEDS_FOR_TWINS).strategy(Strategy.random()).search());
  }

  @ParameterizedTest
  @MethodSource("all")
  void prioritySchedulesFindNothingInTheTwin(Bug bug) {
    assertPassed(bug, search(bug.fixed()).seeds(SEEDS_FOR_TWINS).strategy(Strategy.pct()).search());
  }

  @ParameterizedTest
  @MethodSource("small")
  void tryingAllFindsNothingInTheTwin(Bug bug) {
    assertPassed(bug, search(bug.fixed()).exhaustive(PREEMPTIONS).search());
  }

  @Test
  void namesAreUnique() {
    assertThat(Corpus.all()).extracting(Bug::name).doesNotHaveDuplicates();
  }

  @Test
  void everyKindThatAProgramCanCauseIsThere() {
    assertThat(Corpus.all())
        .extracting(Bug::kind)
        .containsAll(EnumSet.complementOf(EnumSet.of(Kind.BLOCKED_OUTSIDE, Kind.NONDETERMINISTIC)));
  }

  private static void assertFound(Bug bug, Report report) {
    assertThat(report.failure()).as("%s: %s", bug, bug.what()).isPresent().get().extracting(Failure::kind).isEqualTo(bug.kind());
  }

  private static void assertPassed(Bug bug, Report report) {
    assertThat(report.failure()).as("the twin of %s", bug).isEmpty();
    assertThat(report.passed()).isTrue();
  }

  static Check search(Program program) {
    return Check.that(program).steps(STEPS);
  }
}
