// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class MainTest {
  private static final Pattern SHOWN = Pattern.compile("\\./baton bench\\b([^#`\\n]*)");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  @Test
  void listNamesEverySuite() {
    assertThat(execute("list")).isZero();

    assertThat(out.toString().lines()).hasSize(Suites.ALL.size() + Suites.ELSEWHERE.size());
    assertThat(out.toString()).contains(Suites.names()).contains(Suites.ELSEWHERE.keySet());
  }

  @Test
  void anUnknownSuiteIsAnErrorThatNamesTheKnownOnes() {
    assertThat(execute("pair", "pears")).isEqualTo(2);

    assertThat(err.toString()).contains("unknown suite 'pears'", "pair, permits", "by name only: redis", "See 'baton bench --help'.");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aSuiteOfAModuleThatIsNotThereSaysHowToGetIt() {
    assertThat(execute("redis")).isEqualTo(2);

    assertThat(err.toString()).contains("suite 'redis' is not on the class path", "'baton'");
  }

  @Test
  void anUnknownParameterIsAnError() {
    assertThat(execute("permits", "-p", "colour=red")).isEqualTo(2);

    assertThat(err.toString()).contains("no chosen suite has a parameter 'colour'", "threads");
  }

  @Test
  void anUnknownImplementationIsAnError() {
    assertThat(execute("permits", "-p", "impl=baton,batton")).isEqualTo(2);

    assertThat(err.toString()).contains("unknown implementation 'batton'", "jucFair");
  }

  @Test
  void anUnknownOptionIsAnErrorThatNamesOneLikeIt() {
    assertThat(execute("pair", "--warmpu", "3")).isEqualTo(2);

    assertThat(err.toString()).startsWith("baton bench: ").contains("'--warmpu'", "--warmup", "baton bench --help");
  }

  @Test
  void noForksAndNoIterationsAreNamed() {
    assertThat(execute("pair", "--forks", "0")).isEqualTo(2);
    assertThat(execute("pair", "--iterations", "0")).isEqualTo(2);

    assertThat(err.toString()).contains("--forks is 0; expected 1 or more", "--iterations is 0; expected 1 or more");
  }

  @Test
  void nothingToRunIsAnError() {
    assertThat(execute("memory", "-p", "impl=kotlin")).isEqualTo(2);

    assertThat(err.toString()).contains("nothing to run");
  }

  @Test
  void aTimeThatIsNoneIsAnError() {
    assertThat(execute("pair", "--time", "soon")).isEqualTo(2);
    assertThat(execute("pair", "--time", "5")).isEqualTo(2);

    assertThat(err.toString()).contains("not a time: 'soon'", "not a time: '5'");
  }

  @Test
  void helpHasExamplesAndExitCodes() {
    assertThat(execute("--help")).isZero();

    assertThat(out.toString()).contains("Exit codes:", "Examples:");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aFolderThatCannotBeMadeIsAnErrorWithoutAStack(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThat(execute("pair", "--out", file.resolve("results").toString())).isEqualTo(1);

    assertThat(err.toString()).contains("the results cannot be written", "--out DIR").doesNotContain("\tat ");
  }

  /** Every command line that the documentation shows is understood, and names suites and parameters that there are. */
  @Test
  void whatTheDocumentationShowsCanBeRun() throws IOException {
    List<String> shown = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(Path.of("..", "docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        SHOWN.matcher(Files.readString(page)).results().forEach(hit -> shown.add(hit.group(1).strip()));
      }
    }
    assertThat(shown).isNotEmpty();
    for (String line : shown) {
      String[] words = line.isEmpty() ? new String[0] : line.split(" +");
      ParseResult read = Main.commandLine().parseArgs(words);
      // The suites of another module are planned where they are.
      if (!read.hasSubcommand() && Collections.disjoint(List.of(words), Suites.ELSEWHERE.keySet())) {
        Main main = (Main) read.commandSpec().userObject();
        assertThat(main.planned()).as(line).isPositive();
      }
    }
  }
}
