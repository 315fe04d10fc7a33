// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.runtime.Engine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The command as users have it: a process of its own with its own streams, started like the launcher script does. */
final class RealProcess implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 60;

  /** Signal 2, where 1 is the lowest bit. */
  private static final long INT_BIT = 1 << 1;

  private final Process process;
  private final BufferedReader out;
  private final Path err;

  /** Starts {@code baton} in {@code directory}, which also keeps its error output. */
  RealProcess(Path directory, String... args) throws IOException {
    this(directory, Map.of(), args);
  }

  /** Starts it with {@code variables} in its environment besides ours. */
  RealProcess(Path directory, Map<String, String> variables, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Child.java());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", Engine.STEPPED_FLAG));
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    err = Files.createTempFile(directory, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectError(err.toFile());
    builder.environment().putAll(variables);
    process = builder.start();
    out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Gives the process this as its whole standard input. */
  void type(String text) throws IOException {
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write(text);
    }
  }

  String nextLine() throws IOException {
    String line = CompletableFuture.supplyAsync(this::readLine).orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    if (line == null) {
      throw new AssertionError("no more output; errors: " + err());
    }
    return line;
  }

  private @Nullable String readLine() {
    try {
      return out.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether INT can reach a process that we start. It cannot where we were started in the background by a shell that leaves it
   * ignored: that is inherited, and nobody can undo it.
   */
  static boolean heedsInt() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return true;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16) & INT_BIT) == 0;
      }
    }
    return true;
  }

  /** Sends TERM through the handle: {@link Process#destroy} would also close the streams we still read. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Sends it a signal that Java itself cannot send, such as INT. */
  void send(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " " + process.pid()).inheritIO().start().waitFor();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + DEADLINE_SECONDS + " s");
    }
    return process.exitValue();
  }

  /** Whether it, or something that it has started, is still there. */
  boolean isAlive() {
    return process.isAlive() || process.descendants().findAny().isPresent();
  }

  /** Nobody reads what it prints from now on. */
  void stopReading() throws IOException {
    out.close();
  }

  /** What was printed and not yet read, to the end. */
  List<String> rest() {
    return out.lines().toList();
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
