// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.spi.Terms;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What {@code baton leases} and its subcommands do. */
final class LeasesDesk {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

  private final CommandLine command;
  private final RedisOptions redis;
  private final PrintWriter out;

  LeasesDesk(CommandLine command, RedisOptions redis) {
    this.command = command;
    this.redis = redis;
    this.out = command.getOut();
  }

  /** Shows {@code names}, or all there are if none are given. */
  int show(List<String> names, boolean json) {
    names.forEach(name -> handle(Leases.shared(), name, 1));
    return connected(
        leases -> {
          out.print(page(leases, names, json));
          out.flush();
          return 0;
        });
  }

  /** Shows them until a signal ends this JVM. A server that is gone for a while is asked again. */
  int watch(List<String> names, boolean json, Duration interval) throws InterruptedException {
    names.forEach(name -> handle(Leases.shared(), name, 1));
    boolean terminal = isTerminal();
    int failure =
        connected(
            leases -> {
              while (!out.checkError()) { // nobody reads any more
                String page;
                try {
                  page = page(leases, names, json);
                } catch (BackendUnavailableException e) {
                  page = "";
                  fail(String.valueOf(e.getMessage()).replaceFirst("\\.$", "") + ". Trying again.");
                }
                out.print(terminal && !json ? CLEAR_SCREEN + page : page);
                out.print(terminal || json || page.isEmpty() ? "" : System.lineSeparator());
                out.flush();
                if (!pause(interval)) {
                  return 1;
                }
              }
              return 1;
            });
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return failure;
  }

  private static boolean pause(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String page(Leases leases, List<String> names, boolean json) {
    LeasesPage page = LeasesPage.of(leases, names);
    return json ? Json.write(page.json()) + System.lineSeparator() : page.text();
  }

  int revoke(String name, String id) {
    handle(Leases.shared(), name, 1);
    return connected(
        leases -> {
          if (handle(leases, name, 1).revoke(id)) {
            out.println("revoked " + Terms.shown(id) + " of " + Terms.shown(name));
            return 0;
          }
          fail("no lease " + Terms.shown(id) + " of " + Terms.shown(name) + " is held; nothing has changed. See 'baton leases'.");
          return 1;
        });
  }

  int resize(String name, int limit) {
    handle(Leases.shared(), name, limit);
    return connected(
        leases -> {
          if (leases.stats(List.of(name)).isEmpty()) {
            fail(Terms.shown(name) + " is a new name: nobody has used it for a day. See 'baton leases' for those there are.");
          }
          handle(leases, name, limit).resize(limit);
          out.println(Terms.shown(name) + " has " + limit + (limit == 1 ? " permit" : " permits"));
          return 0;
        });
  }

  /** Refuses what makes no sense, on whatever leases. */
  private LeaseSemaphore handle(Leases leases, String name, int limit) {
    try {
      return leases.semaphore(name, limit);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()));
    }
  }

  private int connected(ToIntFunction<Leases> action) {
    try (Leases leases = LeaseServer.connect(redis, command)) {
      return action.applyAsInt(leases);
    } catch (BackendUnavailableException e) {
      fail(String.valueOf(e.getMessage()));
      return 1;
    }
  }

  private void fail(String why) {
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + why);
    err.flush();
  }

  @SuppressWarnings("SystemConsoleNull") // it is null again in JDK 25, where no terminal is
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
