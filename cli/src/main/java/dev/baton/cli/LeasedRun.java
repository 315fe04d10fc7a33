// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.LimitMismatchException;
import dev.baton.lease.LossReason;
import dev.baton.lease.OnMismatch;
import dev.baton.lease.ReleaseResult;
import dev.baton.lease.spi.Terms;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/**
 * Holds a lease while a command runs. Whatever ends first ends the other: the lease is released when the command has ended, and the command
 * is ended when the lease is lost. A signal while waiting ends the wait; later ones are the command's.
 */
final class LeasedRun {
  static final int LOST = 123;
  static final int NOT_IN_TIME = 124;
  static final int NO_LEASE = 125;
  static final int NOT_EXECUTABLE = 126;
  static final int NOT_FOUND = 127;

  /** As leases have it. */
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(2);

  private static final int RENEWALS = 3;
  private static final int MAX_LABEL = 200;
  private static final int NO_SUCH_FILE = 2;
  private static final Pattern SYSTEM_ERROR = Pattern.compile("error[:=] ?(\\d+)[, ]+\\(?([^()]*)");

  private final ExecCommand options;
  private final PrintWriter err;
  private final String name;
  private final Thread waiter = Thread.currentThread();

  /** Guarded by this. Once there is one, there will be no child. */
  private Signals.@Nullable Signal signal;

  /** Guarded by this. */
  private @Nullable GuardedChild child;

  /** Guarded by this. Signals do not interrupt any more. */
  private boolean over;

  LeasedRun(ExecCommand options) {
    this.options = options;
    this.err = options.spec().commandLine().getErr();
    this.name = Terms.shown(options.name());
  }

  /** Runs the command; returns the exit code of ours. */
  int run() {
    refuseNonsense();
    try (Signals _ = new Signals(this::signalled)) {
      int exitCode = connectAndRun();
      Signals.Signal early = end();
      return early == null ? exitCode : early.exitCode();
    }
  }

  /** Before anything is asked of a server: handles of leases in memory refuse the same. */
  private void refuseNonsense() {
    Integer limit = options.limit();
    try {
      if (limit != null && limit < 1) {
        throw new IllegalArgumentException("--permits is " + limit + "\n  Expected: a number from 1 on.");
      }
      if (options.window().compareTo(SHORTEST_WINDOW) < 0) {
        throw new IllegalArgumentException(
            "--window is " + Ages.text(options.window()) + "\n  Expected: " + Ages.text(SHORTEST_WINDOW)
                + " or more: any pause would lose every lease.");
      }
      handle(Leases.shared());
      if (options.take() < 1 || (limit != null && options.take() > limit)) {
        throw new IllegalArgumentException(
            "--take is " + options.take() + "\n  Expected: a number from 1 to what the name has, which --permits says.");
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(options.spec().commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private LeaseSemaphore handle(Leases leases) {
    Integer limit = options.limit();
    LeaseSemaphore handle =
        leases
            .semaphore(options.name(), limit == null ? 1 : limit)
            .onMismatch(limit == null ? OnMismatch.ADOPT : OnMismatch.ERROR)
            .window(options.window())
            .label(label());
    Duration ttl = options.ttl();
    Duration maxWait = options.maxWait();
    handle = ttl == null ? handle : handle.ttl(ttl);
    return maxWait == null ? handle : handle.maxWait(maxWait);
  }

  private String label() {
    String given = options.label();
    if (given != null) {
      return given;
    }
    // Not the arguments: there may be secrets in them.
    Path file = Path.of(options.command().getFirst()).getFileName();
    String text = (file == null ? "?" : file) + " (pid " + ProcessHandle.current().pid() + " on " + Machine.name() + ")";
    return text.substring(0, Math.min(text.length(), MAX_LABEL));
  }

  private int connectAndRun() {
    try (Leases leases = LeaseServer.connect(options.redis(), options.spec().commandLine())) {
      return hold(acquire(leases));
    } catch (TimeoutException e) {
      return told(NOT_IN_TIME, "no lease of " + name + " " + within(options.maxWait()) + "; nothing was started.");
    } catch (LimitMismatchException e) {
      return told(
          NO_LEASE,
          name + " has " + e.actual() + (e.actual() == 1 ? " permit" : " permits") + ", and --permits says " + e.declared() + "; nothing was started.\n"
              + "  Say the same wherever the name is used, leave --permits out, or change it: baton leases resize NAME LIMIT");
    } catch (IllegalArgumentException tooMany) {
      return told(
          NO_LEASE,
          tooMany.getMessage() + "\n  --permits says how many a new name has; baton leases resize NAME LIMIT changes how many it has.");
    } catch (BackendUnavailableException e) {
      return told(NO_LEASE, e.getMessage());
    } catch (InterruptedException e) {
      return told(NO_LEASE, "stopped; nothing was started.");
    }
  }

  private static String within(@Nullable Duration maxWait) {
    return maxWait != null && maxWait.isZero() ? "at once" : "within " + Ages.text(maxWait);
  }

  /** The server is asked as often as one who holds a lease would renew it. */
  private Lease acquire(Leases leases) throws InterruptedException, TimeoutException {
    Duration interval = options.window().dividedBy(RENEWALS);
    try (ServerWatch _ = new ServerWatch(leases, options.name(), interval, what -> told(NO_LEASE, what))) {
      return handle(leases).acquire(options.take());
    }
  }

  private int hold(Lease lease) throws InterruptedException {
    CompletableFuture<LossReason> lost = new CompletableFuture<>();
    lease.onLost(lost::complete);
    GuardedChild running;
    try {
      running = start(lease);
    } catch (IOException e) {
      lease.close();
      return notStarted(e);
    }
    if (running == null) {
      lease.close();
      return NO_LEASE; // a signal came first, and says more
    }
    CompletableFuture<Integer> exitCode = running.exitCode();
    CompletableFuture.anyOf(lost, exitCode).join();
    if (!lost.isDone() && lease.release() != ReleaseResult.EXPIRED) {
      return exitCode.join();
    }
    String why =
        switch (lease.lost().orElse(LossReason.UNREACHABLE)) {
          case EXPIRED -> "its time was over" + (options.ttl() == null ? "" : ", " + Ages.text(options.ttl()));
          case REVOKED -> "somebody has revoked it";
          case UNREACHABLE -> "Redis could not be reached for too long, or has forgotten it";
        };
    told(LOST, "lost the lease of " + name + ": " + why + ". Ending " + options.command().getFirst() + ".");
    running.end(options.grace());
    return LOST;
  }

  /** Null if a signal came before. */
  private synchronized @Nullable GuardedChild start(Lease lease) throws IOException {
    if (signal == null) {
      child =
          GuardedChild.start(
              options.command(),
              Map.of(
                  "BATON_LEASE_ID", lease.id(),
                  "BATON_FENCING_TOKEN", Long.toString(lease.fencingToken()),
                  "BATON_SLOT", Integer.toString(lease.slotNumber())));
    }
    return child;
  }

  private int notStarted(IOException e) {
    // The number and the words of the operating system, in one form or another.
    Matcher error = SYSTEM_ERROR.matcher(Objects.toString(e.getMessage(), ""));
    boolean known = error.find();
    boolean missing = known && Integer.parseInt(error.group(1)) == NO_SUCH_FILE;
    return told(
        missing ? NOT_FOUND : NOT_EXECUTABLE,
        "could not start " + options.command().getFirst() + ": " + (known ? error.group(2).strip() : e.getMessage()));
  }

  private int told(int exitCode, @Nullable String what) {
    synchronized (this) {
      if (signal == null) {
        err.println("baton exec: " + what);
        err.flush();
      }
    }
    return exitCode;
  }

  private synchronized void signalled(Signals.Signal came) {
    if (child != null) {
      child.send(came);
    } else if (!over) {
      signal = came;
      waiter.interrupt();
    }
  }

  /** The signal that came before anything was started, if one did; its interrupt is taken back. */
  private synchronized Signals.@Nullable Signal end() {
    over = true;
    if (signal != null) {
      Thread.interrupted();
    }
    return signal;
  }
}
