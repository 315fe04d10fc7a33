// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the README says of the JDK is what this JDK does. */
class SilentDeadlockTest {
  @Test
  void theJdkSeesThePlatformThreadsOnlyAndBatonTheVirtualOnes() throws Exception {
    ProgramRun run = ProgramRun.of(Checkout.root().resolve("examples/SilentDeadlock.java"));

    assertThat(run.exitCode()).as(() -> String.join("\n", run.output())).isZero();
    List<String> output = run.output();
    assertThat(output)
        .startsWith(
            "ReentrantLock, platform threads: the JDK finds 3 threads, and says so in a dump",
            "ReentrantLock, virtual threads:  the JDK finds nothing",
            "Mutex, virtual threads:          the JDK finds nothing, Baton this:")
        .contains("Deadlock: 3 tasks wait for each other");
    assertThat(output)
        .filteredOn(line -> line.contains(" waits for Mutex "))
        .hasSize(3)
        .allMatch(line -> line.contains("SilentDeadlock.java:"));
  }
}
