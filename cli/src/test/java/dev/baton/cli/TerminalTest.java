// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colours and bars are for terminals. */
class TerminalTest {
  private static final String ESCAPE = "\u001b[";

  @TempDir
  private Path directory;

  /** As the launcher script starts it: only that knows whether the error output is a terminal. */
  @BeforeEach
  void writeLauncher() throws Exception {
    Path launcher = directory.resolve("baton");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        [ -t 2 ] && terminal=true || terminal=false
        exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC %s -Dbaton.terminal=$terminal -cp '%s' dev.baton.cli.Main "$@"
        """
            .formatted(Child.java(), Engine.STEPPED_FLAG, System.getProperty("java.class.path")));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void helpHasColoursOnATerminalOnly() throws Exception {
    assertThat(Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton --help").output()).contains(ESCAPE);
    assertThat(Shell.onTerminal(directory, Map.of("TERM", "xterm", "NO_COLOR", "1"), "./baton --help").output())
        .contains("Commands:")
        .doesNotContain(ESCAPE);
    assertThat(Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton --help | cat").output())
        .contains("Commands:")
        .doesNotContain(ESCAPE);
  }

  @Test
  void errorsHaveColoursOnATerminalOnly() throws Exception {
    assertThat(Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton rum").output()).contains(ESCAPE, "rum");
    assertThat(Shell.onTerminal(directory, Map.of("TERM", "xterm", "NO_COLOR", "1"), "./baton rum").output())
        .contains("rum")
        .doesNotContain(ESCAPE);
    var elsewhere = Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton rum 2>errors; cat errors");
    assertThat(elsewhere.output()).contains("rum").doesNotContain(ESCAPE);
  }

  @Test
  void aSearchShowsABarOnATerminalAndLeavesNoTraceOfIt() throws Exception {
    Files.writeString(directory.resolve("Program.java"), "void main() {}");

    String watched =
        Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton check Program.java --time 2s").output();
    var unwatched = Shell.onTerminal(directory, Map.of("TERM", "xterm"), "./baton check Program.java --time 1s 2>errors");

    assertThat(watched).contains("checking", "schedules");
    assertThat(watched.substring(watched.lastIndexOf("checking"))).as("the bar is wiped out").contains("\r" + " ".repeat(79) + "\r");
    assertThat(unwatched.output()).doesNotContain("checking");
    assertThat(directory.resolve("errors")).isEmptyFile();
  }
}
