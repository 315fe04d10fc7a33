// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./baton exec} and {@code ./baton leases} as users start them, after this module was packaged: with the libraries that were copied
 * for them and no others. Other tests have everything on their class path, and would not miss one.
 */
class LauncherIT {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  private RedisProcess server;

  @TempDir
  private Path directory;

  @BeforeEach
  void start() {
    server = new RedisProcess();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aCommandRunsUnderALease() throws Exception {
    Ended exec = baton("exec", "--name", "deploy", "--redis", server.uri(), "--", "echo", "held");

    assertThat(exec).isEqualTo(new Ended(0, List.of("held"), List.of()));
  }

  @Test
  void leasesAreListed() throws Exception {
    Ended leases = baton("leases", "--redis", server.uri(), "--json");

    assertThat(leases.err()).isEmpty();
    assertThat(leases.exitCode()).isZero();
    assertThat(String.join("", leases.out())).startsWith("[").endsWith("]");
  }

  private record Ended(int exitCode, List<String> out, List<String> err) {}

  private Ended baton(String... arguments) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    List<String> command = new ArrayList<>(List.of(CHECKOUT.resolve("baton").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("BATON_JAVA_HOME", System.getProperty("java.home"));
    // Everything has been built: should the launcher think otherwise, it must say so and not build into the build that we are in.
    environment.put("PATH", withoutMaven() + ":" + environment.get("PATH"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
  }

  private Path withoutMaven() throws IOException {
    Path first = Files.createDirectories(directory.resolve("bin"));
    Path maven = Files.writeString(first.resolve("mvn"), "#!/bin/sh\necho 'not in a test' >&2\nexit 1\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    return first;
  }
}
