// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
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

    assertThat(err.toString()).contains("unknown suite 'pears'", "pair, permits");
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
  void nothingToRunIsAnError() {
    assertThat(execute("memory", "-p", "impl=kotlin")).isEqualTo(2);

    assertThat(err.toString()).contains("nothing to run");
  }

  @Test
  void aTimeThatIsNoneIsAnError() {
    assertThat(execute("pair", "--time", "soon")).isEqualTo(2);

    assertThat(err.toString()).contains("not a time: 'soon'");
  }
}
