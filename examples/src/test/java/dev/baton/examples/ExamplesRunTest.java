// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesRunTest {
  static List<Path> examples() throws IOException {
    return Checkout.examples();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleRunsToItsEndAndSaysSomething(Path example) throws Exception {
    ProgramRun run = ProgramRun.of(example);

    assertThat(run.exitCode()).as(() -> String.join("\n", run.output())).isZero();
    assertThat(run.output()).isNotEmpty();
  }
}
