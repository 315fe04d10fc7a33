// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script at the root, in a checkout of its own that is built already, with a JDK that only says how it was called. */
class LauncherTest {
  private static final List<String> MODULES =
      List.of("core", "runtime", "effect", "lease", "lease-redis", "cli", "cli-redis", "bench");

  @TempDir
  private Path checkout;

  @BeforeEach
  void layOut() throws Exception {
    Path script = Files.copy(Project.root().resolve("baton"), checkout.resolve("baton"));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Files.writeString(checkout.resolve("pom.xml"), "");
    for (String module : MODULES) {
      Files.createDirectories(checkout.resolve(module).resolve("src/main"));
      Files.writeString(checkout.resolve(module).resolve("pom.xml"), "");
    }
    for (String module : List.of("cli", "cli-redis", "bench")) {
      Files.createDirectories(checkout.resolve(module).resolve("target"));
      Files.writeString(checkout.resolve(module).resolve("target/baton-" + module + ".jar"), "");
    }
    Path bin = Files.createDirectories(checkout.resolve("jdk/bin"));
    Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    for (String tool : List.of("java", "javac")) {
      Files.writeString(bin.resolve(tool), "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done\n");
      assertThat(bin.resolve(tool).toFile().setExecutable(true)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "run", "bench", "completion", "--help", "--version"})
  void mostCommandsAreStartedWithoutTheClientOfRedis(String command) throws Exception {
    var called = baton(command + " 'two words' -- --flag '@x'");

    assertThat(called.output().lines()).containsSequence("-jar", "HOME/cli/target/baton-cli.jar", command, "two words", "--", "--flag", "@x");
    assertThat(called.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exec", "leases"})
  void commandsOnLeasesAreStartedWithIt(String command) throws Exception {
    var called = baton(command + " --name 'a b' -- ./job.sh");

    assertThat(called.output().lines())
        .containsSequence(Main.class.getName(), command, "--name", "a b", "--", "./job.sh")
        .anyMatch(word -> word.contains("HOME/cli/target/baton-cli.jar") && word.contains("HOME/cli-redis/target/lib/*"));
  }

  /** The command knows no command of which the script does not know how to start it. */
  @Test
  void everyCommandIsStarted() throws Exception {
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertThat(baton(command).output().lines()).as(command).endsWith(command);
    }
  }

  @Test
  void aJdkThatIsTooOldIsRefusedByName() throws Exception {
    Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"17.0.9\"\n");

    var refused = baton("check");

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.output()).contains("BATON_JAVA_HOME is not a JDK 25 or newer", "unset it");
  }

  private Shell baton(String arguments) throws Exception {
    Path home = checkout.toRealPath();
    var called =
        Shell.bash(checkout, Map.of("BATON_JAVA_HOME", checkout.resolve("jdk").toString()), "./baton " + arguments);
    return new Shell(called.exitCode(), called.output().replace(home.toString(), "HOME"));
  }
}
