// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Some seconds in which everything goes wrong once; {@code verify/chaos} does that for as long as one likes. */
class ChaosTest {
  private static final long SEED = Long.getLong("baton.seed", 20261116);

  @TempDir
  private Path directory;

  @Test
  void leasesKeepTheirPromisesWhateverFails() throws Exception {
    List<Plan.Strike> plan = Plan.of(SEED, Duration.ZERO, 3, 300, 900);
    Report report;
    try (Chaos chaos = new Chaos(SEED, 3, 4, directory)) {
      report = chaos.run(plan, strike -> {});
    }
    System.out.println(report);
    assertThat(report.violations()).as("promises broken with seed %d", SEED).isEmpty();
    assertThat(report.faults()).containsOnlyKeys(Fault.values());
    assertThat(report.history().tenures).hasSizeGreaterThan(50);
    assertThat(HandOvers.of(report.history()).nanos()).hasSizeGreaterThan(10);
  }

  @Test
  void theSameSeedGivesTheSamePlan() {
    assertThat(Plan.of(7, Duration.ofMinutes(1), 4, 100, 900)).isEqualTo(Plan.of(7, Duration.ofMinutes(1), 4, 100, 900));
    assertThat(Plan.of(7, Duration.ofMinutes(1), 4, 100, 900)).isNotEqualTo(Plan.of(8, Duration.ofMinutes(1), 4, 100, 900));
  }
}
