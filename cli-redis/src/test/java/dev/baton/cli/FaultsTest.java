// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that is not there: a clear message, the right exit code, and nothing is left running. */
class FaultsTest {
  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exec --name n --redis redis://localhost:1 -- touch started | 125
          leases --redis redis://localhost:1                         | 1
          leases revoke n ID --redis redis://localhost:1             | 1
          leases resize n 5 --redis redis://localhost:1              | 1
          """)
  void nobodyListens(String command, int exitCode) throws Exception {
    try (var baton = new RealProcess(directory, command.split(" +"))) {
      assertThat(baton.exitCode()).isEqualTo(exitCode);
      assertIsTold(baton, "localhost:1");
    }
  }

  @Test
  void somebodyListensAndNeverAnswers() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "localhost:" + mute.getLocalPort();
      try (var baton = new RealProcess(directory, "exec", "--name", "n", "--redis", "redis://" + address, "--", "touch", "started")) {
        assertThat(baton.exitCode()).isEqualTo(LeasedRun.NO_LEASE);
        assertIsTold(baton, address);
      }
    }
  }

  @Test
  void nobodyHasSaidWhereItIs() throws Exception {
    for (List<String> command : List.of(List.of("exec", "--name", "n", "--", "touch", "started"), List.of("leases"))) {
      try (var baton = new RealProcess(directory, Map.of(RedisOptions.VARIABLE, ""), command.toArray(String[]::new))) {
        assertThat(baton.exitCode()).isEqualTo(2);
        assertIsTold(baton, "where is Redis?", "BATON_REDIS", "--help");
      }
    }
  }

  private void assertIsTold(RealProcess baton, String... said) throws Exception {
    assertThat(baton.rest()).isEmpty();
    assertThat(baton.err()).startsWith("baton ").contains(said).doesNotContain("\tat ", "Exception");
    assertThat(baton.err().lines()).hasSizeLessThanOrEqualTo(5);
    assertThat(baton.isAlive()).isFalse();
    assertThat(directory.resolve("started")).doesNotExist();
  }
}
