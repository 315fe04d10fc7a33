// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code baton completion} prints, in a real bash. */
class CompletionTest {
  @TempDir
  private Path directory;

  @BeforeEach
  void print() throws Exception {
    var completion = InProcess.baton("completion");
    assertThat(completion.exitCode()).isZero();
    assertThat(completion.err()).isEmpty();
    Files.writeString(directory.resolve("completion"), completion.out());
  }

  @Test
  void itIsAScriptThatRegistersTheCommand() throws Exception {
    var syntax = Shell.bash(directory, Map.of(), "bash -n completion");
    assertThat(syntax.output()).isEmpty();
    assertThat(syntax.exitCode()).isZero();

    var registered = Shell.bash(directory, Map.of(), "source ./completion && complete -p baton");
    assertThat(registered.output()).startsWith("complete ").contains("-F _complete_baton").endsWith(" baton\n");
    assertThat(registered.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          baton ch                | check
          baton comp              | completion
          baton check --str       | --strategy
          baton check --strategy p| pct
          baton check --engine s  | stepped
          baton exec --max        | --max-wait
          baton leases re         | revoke resize
          baton leases --w        | --watch
          """)
  void itCompletes(String typed, String expected) throws Exception {
    String words = "COMP_WORDS=(" + typed + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='" + typed + "'";

    var completed =
        Shell.bash(directory, Map.of(), "source ./completion; " + words + "; _complete_baton 2>/dev/null; echo ${COMPREPLY[*]}");

    assertThat(completed.output().strip()).isEqualTo(expected);
  }
}
