// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTest {
  @Test
  void helpNamesEveryCommandAndTheExitCodes() {
    var help = InProcess.baton("--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("check ", "run ", "exec ", "leases ", "bench ", "Exit codes:", "Examples:");
    assertThat(help.err()).isEmpty();
  }

  @Test
  void helpStaysWithinEightyColumns() {
    assertThat(InProcess.baton("--help").out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(InProcess.baton("run", "--help").out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(InProcess.baton("check", "--help").out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(InProcess.baton("exec", "--help").out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(InProcess.baton("leases", "--help").out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(InProcess.baton("leases", "revoke", "--help").out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void helpIsPlainTextWhenNobodyWatches() {
    assertThat(InProcess.baton("--help").out()).doesNotContain("\u001b");
  }

  @Test
  void versionNamesBatonAndTheJavaThatProgramsGet() {
    var version = InProcess.baton("--version");

    assertThat(version.exitCode()).isZero();
    assertThat(version.out()).containsPattern("baton \\d+\\.\\d+\\.\\d+").contains("Java " + Runtime.version());
  }

  @Test
  void aMissingCommandIsAUsageErrorThatListsTheChoices() {
    var nothing = InProcess.baton();

    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.err()).contains("which command?", "check, run, exec, leases, bench", "baton --help");
    assertThat(nothing.out()).isEmpty();
  }

  @Test
  void aMistypedCommandGetsASuggestion() {
    var typo = InProcess.baton("rum");

    assertThat(typo.exitCode()).isEqualTo(2);
    assertThat(typo.err()).contains("'rum'", "Did you mean", "run");
  }
}
