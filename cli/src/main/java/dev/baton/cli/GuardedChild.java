// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A process that has our streams, is told of our signals, and can be ended with all that it has started. */
final class GuardedChild {
  private static final Path SELF = Path.of("/proc/self");

  private final Process process;

  private GuardedChild(Process process) {
    this.process = process;
  }

  /** Starts {@code command} with {@code variables} besides those that we have. */
  static GuardedChild start(List<String> command, Map<String, String> variables) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(variables);
    return new GuardedChild(builder.start());
  }

  /** Its exit code, once it has ended; 128 and the number of the signal if one has ended it. */
  CompletableFuture<Integer> exitCode() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Passes a signal on to it. */
  void send(Signals.Signal signal) {
    if (!process.isAlive() || (signal == Signals.Signal.INT && isInForeground())) {
      return; // Ctrl-C: the terminal has told it, too
    }
    if (signal == Signals.Signal.TERM) {
      process.toHandle().destroy();
      return;
    }
    try {
      // Java can send no other; every shell can.
      new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " \"$0\"", Long.toString(process.pid())).start();
    } catch (IOException noShell) {
      process.toHandle().destroy();
    }
  }

  /** Whether what is typed at a terminal reaches us, and so the child, which is of the same group. */
  private static boolean isInForeground() {
    try {
      String status = Files.readString(SELF.resolve("stat"));
      // After the name, which may hold anything: state, parent, group, session, terminal, group in the foreground.
      String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
      return fields[2].equals(fields[5]) && Stream.of("0", "1", "2").anyMatch(GuardedChild::isTerminal);
    } catch (IOException | RuntimeException notLinux) {
      return Boolean.getBoolean(CheckProgress.TERMINAL);
    }
  }

  private static boolean isTerminal(String stream) {
    try {
      String file = Files.readSymbolicLink(SELF.resolve("fd").resolve(stream)).toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
    } catch (IOException closed) {
      return false;
    }
  }

  /** Asks it, and all that it has started, to end; ends by force what has not done so within {@code grace}. Returns when all have ended. */
  void end(Duration grace) throws InterruptedException {
    Set<ProcessHandle> family = withDescendants(Set.of(process.toHandle()));
    family.forEach(ProcessHandle::destroy);
    if (!haveEnded(family, grace)) {
      Set<ProcessHandle> left = withDescendants(family);
      left.forEach(ProcessHandle::destroyForcibly);
      process.waitFor();
    }
  }

  private static Set<ProcessHandle> withDescendants(Set<ProcessHandle> some) {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    some.stream().flatMap(one -> Stream.concat(Stream.of(one), one.descendants())).forEach(all::add);
    return all;
  }

  private static boolean haveEnded(Set<ProcessHandle> family, Duration grace) throws InterruptedException {
    CompletableFuture<?>[] ends = family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(grace.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException notAll) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
