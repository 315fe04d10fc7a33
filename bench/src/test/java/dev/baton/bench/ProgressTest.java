// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream screen = new PrintStream(shown, true, StandardCharsets.UTF_8);

  private Progress progress(boolean terminal) {
    return new Progress(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), screen, terminal, 12);
  }

  @Test
  void whereALineCannotChangeThereIsOnePerWork() {
    Progress progress = progress(false);
    progress.at("pair", "lock + unlock");
    progress.done();

    assertThat(shown.toString(StandardCharsets.UTF_8))
        .containsPattern("^\\[1/12, \\d:\\d\\d] pair: lock \\+ unlock\\R12 benchmarks in \\d:\\d\\d min\\R$")
        .doesNotContain("\r");
  }

  @Test
  void onATerminalABarIsDrawnAndTakenAway() {
    Progress progress = progress(true);
    progress.at("pair", "lock + unlock");
    progress.done();

    String output = shown.toString(StandardCharsets.UTF_8);
    assertThat(output).contains("bench", "0/12", "\r" + " ".repeat(79) + "\r");
    assertThat(output.substring(output.lastIndexOf('\r') + 1)).matches("12 benchmarks in \\d:\\d\\d min\\R");
  }
}
