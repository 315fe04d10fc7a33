// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code baton check} refuses, and with which words. */
class CheckRefusalsTest {
  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --seeds -1              | --seeds is -1
          --seeds 0               | --seeds is 0
          --seeds many            | --seeds is 'many'
          --steps -5              | --steps is -5
          --strategy clever       | There is no strategy 'clever': use random, pct
          --strategy pct:0        | depth of PCT is 1 to
          --strategy exhaustive:x | There is no strategy 'exhaustive:x'
          --engine steam          | There is no engine 'steam': use portable, stepped or best
          --time 30               | '30' is no time: use a number and its unit
          --time 0s               | '0s' is too short
          --time -1s              | '-1s' is no time
          --seed five             | 'five' names no schedule
          --seed exhaustive:2:5   | An exhaustive search has no seeds
          --seed 5 --seeds 3      | Leave out --seeds
          --seed random:5 --strategy pct | Leave out --strategy
          --svg no/such/dir/a.svg | no/such/dir/a.svg cannot be written
          --colour                | there is no option '--colour'
          """)
  void whatMakesNoSenseIsAUsageError(String options, String message) throws Exception {
    Path file = Files.writeString(directory.resolve("Program.java"), "void main() {}");
    List<String> command = new ArrayList<>(List.of("check", file.toString()));
    command.addAll(List.of(options.split(" ")));

    var check = InProcess.baton(command.toArray(String[]::new));

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains(message, "See 'baton check --help'.");
    assertThat(check.out()).isEmpty();
  }

  @Test
  void theSteppedEngineNeedsItsFlag() throws Exception {
    Path file = Files.writeString(directory.resolve("Program.java"), "void main() {}");

    var check = InProcess.baton("check", file.toString(), "--engine", "stepped");

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains("the stepped engine is not available", "Use the script 'baton'");
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = directory.resolve("Missing.java");

    var check = InProcess.baton("check", missing.toString());

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains(missing + " does not exist", "Check the name", "baton check --help");
  }

  @Test
  void aDirectoryIsRefused() {
    assertThat(InProcess.baton("check", "").err()).contains("baton check: FILE.java is empty");
    assertThat(InProcess.baton("run", "").err()).contains("baton run: FILE.java is empty");
    var check = InProcess.baton("check", directory.toString());

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains(directory + " is a directory");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws Exception {
    Path secret = Files.writeString(directory.resolve("Secret.java"), "void main() {}");
    assumeTrue(secret.toFile().setReadable(false) && !Files.isReadable(secret), "who may read everything cannot try this");

    for (String command : List.of("check", "run")) {
      var refused = InProcess.baton(command, secret.toString());

      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err()).contains(secret + " cannot be read", "Check its permissions", "baton " + command + " --help");
      assertThat(refused.out()).isEmpty();
    }
  }

  @Test
  void noFileAtAllIsAUsageError() {
    var check = InProcess.baton("check");

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.err()).contains("FILE.java");
  }

  @Test
  void aCompileErrorLooksAsJavacPrintsIt() throws Exception {
    var check = check("void main() {\n  int x = \"one\";\n}");

    assertThat(check.exitCode()).isEqualTo(3);
    assertThat(check.err())
        .contains("Program.java:2: error: incompatible types", "int x = \"one\";", "^", "1 error", "does not compile");
    assertThat(check.out()).isEmpty();
  }

  @Test
  void aFileWithNothingInItIsNoProgram() throws Exception {
    var check = check("");

    assertThat(check.exitCode()).isEqualTo(3);
    assertThat(check.err()).contains("there is no class and no method in the file", "Write a method main");
  }

  @Test
  void aClassWithoutMainIsNoProgram() throws Exception {
    var check = check("class Program { private static void main() {} static int main(String[] args) { return 0; } }");

    assertThat(check.exitCode()).isEqualTo(3);
    assertThat(check.err()).contains("its first class, Program, has no main method", "void main()");
  }

  @Test
  void anInstanceMainNeedsAConstructor() throws Exception {
    var check = check("class Program { Program(int n) {} void main() {} }");

    assertThat(check.exitCode()).isEqualTo(3);
    assertThat(check.err()).contains("is not static", "Make main static");
  }

  private InProcess check(String source) throws IOException {
    return InProcess.baton("check", Files.writeString(directory.resolve("Program.java"), source).toString());
  }
}
