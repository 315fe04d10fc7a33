// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that stands in for this one: same terminal, same signals, same exit code.
 *
 * <p>Ctrl-C reaches both processes by itself, a TERM only the one it was sent to. Either way this JVM goes through its
 * shutdown hooks, and the hook here passes the request on and stays until the child is gone. Only a KILL of this JVM,
 * which nobody can catch, leaves the child running.
 */
final class Child {
  /** Time for a child's own shutdown hooks, before it is ended by force. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final List<String> command;

  /** Guarded by this. */
  private @Nullable Process process;

  /** Guarded by this. */
  private boolean stopped;

  Child(List<String> command) {
    this.command = List.copyOf(command);
  }

  /** The Java that runs this command also runs the child. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Runs the child to its end; returns its exit code. */
  int run(PrintWriter err) {
    // The hook stands before the child does: a signal in between must find it.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(GRACE), "baton-stop-child"));
    try {
      return start(new ProcessBuilder(command).inheritIO()).waitFor();
    } catch (IOException e) {
      err.println("baton: could not start " + command.getFirst() + ": " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      stop(GRACE);
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** Holds the lock while the process comes to life: {@link #stop} either sees it, or came first and forbids it. */
  synchronized Process start(ProcessBuilder builder) throws IOException {
    if (stopped) {
      throw new IOException("stopped before it was started");
    }
    Process started = builder.start();
    process = started;
    return started;
  }

  /** Asks the child to end, waits, and ends it by force when it has not done so in time. */
  void stop(Duration grace) {
    Process running;
    synchronized (this) {
      stopped = true;
      running = process;
    }
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (!running.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS)) {
        running.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
