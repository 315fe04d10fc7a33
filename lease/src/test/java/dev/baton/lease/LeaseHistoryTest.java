// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Policy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random use of leases in memory. */
class LeaseHistoryTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void onThreads(long seed) throws Exception {
    try (Leases leases = Leases.inMemory()) {
      new LeaseHistory(leases, "history", 3, seed, Duration.ofMillis(1), true).run(20, 100);
      new LeaseHistory(leases, "mutex", 1, seed, Duration.ofNanos(20_000), true).run(10, 300);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void underAnyScheduleInVirtualTime(long seed) throws Exception {
    Cooperative.create()
        .policy(Policy.seeded(seed))
        .seed(seed)
        .run(
            () -> {
              try (Leases leases = Leases.inMemory()) {
                new LeaseHistory(leases, "history", 1 + (int) seed % 4, seed, Duration.ofSeconds(1), true).run(8, 40);
                assertThat(leases.names()).containsExactly("history");
              }
              return null;
            });
  }
}
