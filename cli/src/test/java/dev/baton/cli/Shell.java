// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a real shell did; output and error output as one. */
record Shell(int exitCode, String output) {
  private static final long DEADLINE_SECONDS = 60;

  /** Runs a script of bash, or skips the test where there is none. */
  static Shell bash(Path directory, Map<String, String> variables, String script) throws IOException, InterruptedException {
    return run(directory, variables, List.of("bash", "--norc", "-c", script));
  }

  /** Runs a command on a terminal of its own, or skips the test where that cannot be had. */
  static Shell onTerminal(Path directory, Map<String, String> variables, String command) throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the script command of Linux");
    return run(directory, variables, List.of("script", "-qec", command, "/dev/null"));
  }

  private static Shell run(Path directory, Map<String, String> variables, List<String> command)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin", command.getFirst())) || Files.isExecutable(Path.of("/bin", command.getFirst())));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().remove("NO_COLOR");
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      // Nothing here prints more than a pipe holds before it ends, or it is read as it comes.
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + command);
      }
      return new Shell(process.exitValue(), output);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
