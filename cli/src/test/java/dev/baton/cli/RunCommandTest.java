// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code baton run} refuses, and with which words. */
class RunCommandTest {
  @TempDir
  private Path directory;

  @Test
  void aMissingFileIsNamed() {
    Path missing = directory.resolve("Missing.java");

    var run = InProcess.baton("run", missing.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(missing + " does not exist", "Expected: one Java source file", "Check the name", "baton run --help");
  }

  @Test
  void aDirectoryIsRefused() {
    var run = InProcess.baton("run", directory.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(directory + " is a directory", "main method");
  }

  @Test
  void anythingButASourceFileIsRefused() throws IOException {
    Path jar = Files.createFile(directory.resolve("program.jar"));

    var run = InProcess.baton("run", jar.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(jar + " is not a .java file", "Give the source");
  }

  @Test
  void anUnreadableFileIsRefused() throws IOException {
    Path secret = Files.createFile(directory.resolve("Secret.java"));
    assumeFalse(!secret.toFile().setReadable(false) || Files.isReadable(secret), "this user may read everything");

    var run = InProcess.baton("run", secret.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(secret + " cannot be read", "permissions");
  }

  @Test
  void noFileAtAllIsAUsageError() {
    var run = InProcess.baton("run");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("FILE.java");
  }

  @Test
  void anUnknownOptionBeforeTheFileIsAUsageError() {
    var run = InProcess.baton("run", "-n", "3", "Program.java");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no option '-n'");
  }

  @Test
  void helpBeforeTheFileIsOurs() {
    var help = InProcess.baton("run", "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Usage: baton run", "FILE.java", "Exit codes:");
  }
}
