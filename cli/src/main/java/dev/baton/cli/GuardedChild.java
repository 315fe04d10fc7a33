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
import java.util.stream.Stream;

/** A process that has our streams, is told of our signals, and can be ended with all that it has started. */
final class GuardedChild {
  private static final Path PROCESSES = Path.of("/proc");
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  // Of what Linux tells about a process, after its name: state, parent, group, session, terminal, group in the foreground.
  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int FOREGROUND = 5;

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
      String[] us = status("self");
      return us[GROUP].equals(us[FOREGROUND]) && Stream.of("0", "1", "2").anyMatch(GuardedChild::isTerminal);
    } catch (IOException | RuntimeException notLinux) {
      return Boolean.getBoolean(Colours.TERMINAL);
    }
  }

  private static String[] status(String id) throws IOException {
    String status = Files.readString(PROCESSES.resolve(id).resolve("stat"));
    return status.substring(status.lastIndexOf(')') + 2).split(" "); // the name may hold anything
  }

  private static boolean isTerminal(String stream) {
    try {
      String file = Files.readSymbolicLink(PROCESSES.resolve("self").resolve("fd").resolve(stream)).toString();
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

  /** Looks again and again: only of our own child would we be told. */
  private static boolean haveEnded(Set<ProcessHandle> family, Duration grace) throws InterruptedException {
    long start = System.nanoTime();
    while (family.stream().anyMatch(GuardedChild::runs)) {
      // Compared as a time: a long one cannot be counted in nanoseconds.
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(grace) >= 0) {
        return false;
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    return true;
  }

  /** One that has ended and that nobody has asked for its exit code does not run; in a container that may last. */
  private static boolean runs(ProcessHandle one) {
    if (!one.isAlive()) {
      return false;
    }
    try {
      return !status(Long.toString(one.pid()))[STATE].equals("Z");
    } catch (IOException | RuntimeException notLinux) {
      return one.isAlive();
    }
  }
}
