// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HelpTest {
  @Test
  void helpNamesEveryCommandAndTheExitCodes() {
    var help = InProcess.baton("--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("check ", "run ", "exec ", "leases ", "bench ", "completion ", "Exit codes:", "Examples:");
    assertThat(help.err()).isEmpty();
  }

  /** All but {@code bench}, whose help is that of the benchmark program. */
  static Stream<String> commands() {
    return Stream.of("", "check", "run", "exec", "leases", "leases revoke", "leases resize", "completion", "help");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyHelpHasExamplesAndExitCodesWithinEightyColumns(String command) {
    var help = InProcess.baton((command + " --help").strip().split(" "));

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Exit codes:", "Examples:");
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(help.err()).isEmpty();
  }

  @Test
  void noCommandIsForgottenHere() {
    assertThat(commands()).containsAll(
        Main.commandLine().getSubcommands().keySet().stream().filter(name -> !name.equals("bench")).toList());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theCommandHelpShowsWhatTheOptionShows(String command) {
    var help = InProcess.baton(("help " + command).strip().split(" "));

    assertThat(help).isEqualTo(InProcess.baton((command + " --help").strip().split(" ")));
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
    assertThat(nothing.err()).contains("which command?", "check, run, exec, leases, bench, completion", "baton --help");
    assertThat(nothing.out()).isEmpty();
  }
}
