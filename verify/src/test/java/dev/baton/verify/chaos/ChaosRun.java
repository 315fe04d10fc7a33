// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** As long as one likes: {@code verify/chaos}. Not part of the normal build. What was written down is kept in {@code target/chaos}. */
class ChaosRun {
  private static final int PLACES = 4;
  private static final int WORKERS = 4;

  @Test
  void leasesKeepTheirPromisesWhateverFails() throws Exception {
    long seed = Long.getLong("baton.seed", 1);
    Duration length = Duration.ofSeconds(Math.round(60 * Double.parseDouble(System.getProperty("baton.chaos.minutes", "10"))));
    List<Plan.Strike> plan = Plan.of(seed, length, PLACES, 200, 2_000);
    Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target/chaos")).toAbsolutePath(), "seed-" + seed + "-");
    System.out.printf("%d faults in %d s, seed %d; journals in %s%n", plan.size(), length.toSeconds(), seed, directory);
    Report report;
    try (Chaos chaos = new Chaos(seed, PLACES, WORKERS, directory);
        Progress progress = Progress.of("chaos", plan.size(), length)) {
      report = chaos.run(plan, progress);
    }
    System.out.println(report);
    assertThat(report.violations()).as("promises broken with seed %d", seed).isEmpty();
  }
}
