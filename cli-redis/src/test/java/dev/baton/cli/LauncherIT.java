// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code baton exec} and {@code baton leases} as the launcher starts them, after this module was packaged: with the libraries that were
 * copied for them and no others. Other tests have everything on their class path, and would not miss one.
 */
class LauncherIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final String FLAGS = "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED";
  private static final String LIBRARIES = "/cli-redis/target/baton-cli-redis.jar:$home/cli-redis/target/lib/*";

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
  void theLauncherStartsTheSame() throws Exception {
    assertThat(Files.readString(HOME.resolve("baton"))).contains("(" + FLAGS + ")", "\"$jar:$home" + LIBRARIES + "\" dev.baton.cli.Main");
  }

  @Test
  void aCommandRunsUnderALease() throws Exception {
    Ended exec = baton("exec", "--name", "deploy", "--redis", server.uri(), "--", "echo", "held");

    assertThat(exec.err()).isEmpty();
    assertThat(exec.out()).containsExactly("held");
    assertThat(exec.exitCode()).isZero();
  }

  @Test
  void leasesAreListed() throws Exception {
    Ended leases = baton("leases", "--redis", server.uri(), "--json");

    assertThat(leases.err()).isEmpty();
    assertThat(leases.exitCode()).isZero();
    assertThat(leases.out()).containsExactly("{\"names\":[]}");
  }

  private record Ended(int exitCode, List<String> out, List<String> err) {}

  private Ended baton(String... arguments) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(FLAGS.split(" ")));
    command.add("-cp");
    command.add(HOME + "/cli/target/baton-cli.jar:" + HOME + LIBRARIES.replace("$home", HOME.toString()));
    command.add("dev.baton.cli.Main");
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
  }
}
