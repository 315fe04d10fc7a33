// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a single-file program did when the JDK's own launcher ran it with Baton on its class path. */
record ProgramRun(int exitCode, List<String> output) {
  private static final long DEADLINE_SECONDS = 60;

  /** Output and error output come as one, in the order in which they were printed. */
  static ProgramRun of(Path program) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dstdout.encoding=UTF-8",
            // Most of the time the launcher compiles; neither that nor the program lives long enough for more.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            Checkout.programClassPath(),
            program.toString())
        .redirectErrorStream(true)
        .start();
    Thread watchdog = Thread.ofVirtual().start(() -> endIfLate(process));
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      return new ProgramRun(process.waitFor(), lines);
    } finally {
      process.destroyForcibly();
      watchdog.interrupt();
    }
  }

  private static void endIfLate(Process process) {
    try {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
