// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of ours that keeps a journal, and what can be done to it. */
final class Child {
  static final String OUR_CLASSES = System.getProperty("java.class.path");
  private static final long PATIENCE_SECONDS = 60;

  final Path journal;
  private final Path errors;
  private final Process process;
  private volatile String said = "";

  /** Runs {@code main} with the file of its journal as its first argument. */
  Child(Path directory, int number, String classPath, Class<?> main, Object... arguments) {
    journal = directory.resolve("process-" + number + ".journal");
    errors = directory.resolve("process-" + number + ".err");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(
        List.of(java + "", "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED", "-cp", classPath, main.getName(), journal + ""));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    try {
      process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(() -> process.inputReader(StandardCharsets.US_ASCII).lines().forEach(line -> said = line));
  }

  void awaitReady() {
    Soon.holds("a process begins", () -> !said.isEmpty() || !process.isAlive());
  }

  /** Whether that is the last it has said. */
  boolean hasSaid(String word) {
    return said.equals(word);
  }

  void order(String word) {
    try {
      Writer in = process.outputWriter(StandardCharsets.US_ASCII);
      in.write(word + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void pause() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Returns when it has ended. False: it has not, or not as it should. */
  boolean awaitEnd() {
    try {
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What it has complained of. */
  List<String> complaints() {
    try {
      return Files.readAllLines(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
