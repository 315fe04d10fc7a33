// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesRunTest {
  /** They show bugs: under some schedules they hang or fail, so they are compiled and not run. */
  private static final Set<String> BROKEN = Set.of("BankTransfer.java", "DiningPhilosophers.java", "TimeoutRace.java");

  static List<Path> working() throws IOException {
    return Checkout.examples().stream().filter(example -> !isBroken(example)).toList();
  }

  static List<Path> broken() throws IOException {
    return Checkout.examples().stream().filter(ExamplesRunTest::isBroken).toList();
  }

  private static boolean isBroken(Path example) {
    return BROKEN.contains(example.getFileName().toString());
  }

  @ParameterizedTest
  @MethodSource("working")
  void everyWorkingExampleRunsToItsEndAndSaysSomething(Path example) throws Exception {
    ProgramRun run = ProgramRun.of(example);

    assertThat(run.exitCode()).as(() -> String.join("\n", run.output())).isZero();
    assertThat(run.output()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void everyBrokenExampleCompiles(Path example, @TempDir Path classes) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();

    int result = ToolProvider.getSystemJavaCompiler()
        .run(null, null, errors, "-cp", Checkout.core().toString(), "-d", classes.toString(), example.toString());

    assertThat(result).as(errors::toString).isZero();
  }

  @Test
  void everyBrokenExampleStandsBesideItsRepair() throws Exception {
    List<String> names = Checkout.examples().stream().map(example -> example.getFileName().toString()).toList();

    assertThat(names).containsAll(BROKEN);
    assertThat(names).containsAll(BROKEN.stream().map(name -> name.replace(".java", "Fixed.java")).toList());
  }
}
