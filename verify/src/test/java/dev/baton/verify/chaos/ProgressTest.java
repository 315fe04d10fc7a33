// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final List<Plan.Strike> PLAN = Plan.of(7, Duration.ofMinutes(2), 3, 300, 900);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

  private String written() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalShowsABarThatIsTakenAwayAtTheEnd() {
    try (Progress progress = new Progress.Bar(out, "chaos", PLAN.size())) {
      PLAN.forEach(progress);
    }
    assertThat(written()).contains("chaos").contains(PLAN.size() + "/" + PLAN.size()).endsWith("\r" + " ".repeat(79) + "\r").doesNotContain("\n");
    assertThat(written().split("\r")).allMatch(line -> line.length() <= 79);
  }

  @Test
  void elsewhereALineIsWrittenTwiceAMinute() {
    try (Progress progress = new Progress.Lines(out, Duration.ofMinutes(2))) {
      PLAN.forEach(progress);
    }
    assertThat(written().lines()).hasSize(4).allMatch(line -> line.matches("\\d+ of 120 s, \\d+ faults"));
  }
}
