// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.runtime.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output that cannot be written is not success. */
class LostOutputTest {
  @TempDir
  private Path directory;

  @BeforeEach
  void writeLauncher() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "a device that is always full");
    Files.writeString(
        directory.resolve("baton"),
        "exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC %s -cp '%s' dev.baton.cli.Main \"$@\"\n"
            .formatted(Child.java(), Engine.STEPPED_FLAG, System.getProperty("java.class.path")));
  }

  @Test
  void aHelpThatIsLostIsAFailure() throws Exception {
    var help = Shell.bash(directory, Map.of(), "sh ./baton run --help >/dev/full");

    assertThat(help.exitCode()).isEqualTo(1);
    assertThat(help.output()).startsWith("baton run: standard output cannot be written: ");
  }

  @Test
  void aReportThatIsLostIsNotThatNothingOrSomethingWasFound() throws Exception {
    Files.writeString(directory.resolve("Program.java"), "void main() {}");

    var check = Shell.bash(directory, Map.of(), "sh ./baton check --seeds 5 Program.java >/dev/full");

    assertThat(check.exitCode()).isEqualTo(CheckCommand.BROKEN);
    assertThat(check.output()).startsWith("baton check: standard output cannot be written: ");
  }
}
