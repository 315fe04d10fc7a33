// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton exec} and {@code baton leases} as processes: signals, streams and the environment. */
class ExecProcessTest {
  /** Longer than an answer is waited for. */
  private static final Duration PAUSE = Duration.ofSeconds(4);

  private static RedisProcess server;
  private static Leases leases;

  @TempDir
  private Path directory;

  @BeforeAll
  static void start() {
    server = new RedisProcess();
    leases = RedisLeases.connect(server.uri());
  }

  @AfterAll
  static void stop() {
    leases.close();
    server.close();
  }

  @Test
  void streamsAndArgumentsAreTheCommandsAndTheAddressComesFromTheEnvironment() throws Exception {
    try (var exec =
        baton("exec", "--name", "streams", "--", "sh", "-c", "read line; echo \"$line\" \"$@\" $BATON_SLOT", "sh", "--name", "--", "-h")) {
      exec.type("typed\n");
      assertThat(exec.exitCode()).isZero();
      assertThat(exec.rest()).containsExactly("typed --name -- -h 1");
      assertThat(exec.err()).isEmpty();
    }
  }

  @Test
  void termAndIntArePassedOnAndTheCommandDecides() throws Exception {
    assumeTrue(RealProcess.heedsInt());
    String program = "trap 'echo int' INT; trap 'echo term; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    try (var exec = baton("exec", "--name", "signals", "--", "sh", "-c", program)) {
      assertThat(exec.nextLine()).isEqualTo("ready");
      exec.send("INT");
      assertThat(exec.nextLine()).isEqualTo("int");
      assertThat(leases.semaphore("signals", 1).holders()).hasSize(1);

      exec.send("TERM");

      assertThat(exec.nextLine()).isEqualTo("term");
      assertThat(exec.exitCode()).isEqualTo(5);
      assertThat(exec.err()).isEmpty();
    }
    assertThat(leases.semaphore("signals", 1).holders()).isEmpty();
  }

  @Test
  void aSignalWhileWaitingLeavesTheLine() throws Exception {
    LeaseSemaphore busy = leases.semaphore("busy", 1);
    try (Lease _ = busy.acquire();
        var exec = baton("exec", "--name", "busy", "--", "echo", "started")) {
      Soon.holds(() -> busy.waiters().size() == 1);

      exec.send("TERM");

      assertThat(exec.exitCode()).isEqualTo(128 + 15);
      assertThat(exec.rest()).isEmpty();
      assertThat(exec.err()).isEmpty();
      assertThat(busy.waiters()).isEmpty();
    }
  }

  @Test
  void aWatchShowsWhatChangesUntilItIsTold() throws Exception {
    assumeTrue(RealProcess.heedsInt());
    LeaseSemaphore seen = leases.semaphore("seen", 2);
    Lease lease = seen.acquire();
    try (var watch = baton("leases", "--watch", "--json", "--interval", "50ms", "--name", "seen")) {
      Object held = JsonReader.read(watch.nextLine());
      assertThat(JsonReader.at(held, "names", 0, "holders", 0, "id")).isEqualTo(lease.id());
      lease.close();
      // Whatever was printed before it was released comes first.
      Soon.holds(() -> Objects.equals(JsonReader.at(JsonReader.read(line(watch)), "names", 0, "acquired"), 0.0));

      watch.send("INT");

      assertThat(watch.exitCode()).isEqualTo(128 + 2);
      assertThat(watch.err()).isEmpty();
    }
  }

  @Test
  void aWatchEndsWhenNobodyReadsIt() throws Exception {
    for (String form : List.of("leases --watch --interval 50ms", "leases --watch --interval 50ms --json")) {
      try (var watch = baton(form.split(" "))) {
        watch.nextLine();
        watch.stopReading();

        assertThat(watch.exitCode()).isEqualTo(1);
        assertThat(watch.err()).isEmpty();
      }
    }
  }

  @Test
  void aWatchGoesOnWhileTheServerIsGone() throws Exception {
    try (var mortal = new RedisProcess();
        var watch = new RealProcess(directory, "leases", "--watch", "--interval", "50ms", "--redis", mortal.uri())) {
      watch.nextLine();
      mortal.stop();

      Soon.holds(() -> errors(watch).contains("there is no connection. Trying again."));
    }
  }

  @Test
  void oneWhoWaitsIsToldThatTheServerIsGoneAndThatItIsBack() throws Exception {
    LeaseSemaphore busy = leases.semaphore("gone", 1);
    Lease lease = busy.acquire();
    try (var exec = baton("exec", "--name", "gone", "--window", "2s", "--", "echo", "started")) {
      Soon.holds(() -> busy.waiters().size() == 1);
      server.pause(PAUSE);

      Soon.holds(() -> errors(exec).contains("baton exec: Redis cannot be reached. Still waiting"));
      Soon.holds(() -> errors(exec).contains("baton exec: Redis is back"));
      assertThat(exec.err().lines()).hasSize(2);
      lease.close();

      assertThat(exec.exitCode()).isZero();
      assertThat(exec.rest()).containsExactly("started");
    }
  }

  private static String errors(RealProcess process) {
    try {
      return process.err();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String line(RealProcess process) {
    try {
      return process.nextLine();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private RealProcess baton(String... args) throws IOException {
    return new RealProcess(directory, Map.of(RedisOptions.VARIABLE, server.uri()), args);
  }
}
