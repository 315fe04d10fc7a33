// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Leases;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The server that the leases of a command are on. */
final class LeaseServer {
  /** Kept: the JDK forgets the level of a logger that nobody has. Commands say themselves what there is to say. */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("io.lettuce"), Logger.getLogger("io.netty"), Logger.getLogger("reactor"), Logger.getLogger("dev.baton.lease"));

  /** What it warns of, nobody else knows. */
  private static final Logger HEARD = Logger.getLogger("dev.baton.lease.redis");

  private LeaseServer() {}

  /**
   * Connects.
   *
   * @throws ParameterException if it was not said where, or that makes no sense
   * @throws BackendUnavailableException if it cannot be used
   */
  static Leases connect(RedisOptions redis, CommandLine command) {
    String uri = redis.uri();
    if (uri == null || uri.isBlank()) {
      throw new ParameterException(
          command,
          "where is Redis?\n  Expected: --redis URI, or the environment variable " + RedisOptions.VARIABLE
              + ".\n  An address looks like redis://host:6379, or rediss://user:password@host:6379/0 with TLS.");
    }
    Optional<LeaseConnector> connector = ServiceLoader.load(LeaseConnector.class).findFirst();
    if (connector.isEmpty()) {
      throw new BackendUnavailableException(
          "the part of this command that talks to Redis is not there. Start it with the script 'baton' at the root of a checkout.",
          null);
    }
    QUIET.forEach(log -> log.setLevel(Level.OFF));
    HEARD.setLevel(Level.WARNING);
    try {
      return connector.get().connect(uri, redis.namespace());
    } catch (IllegalArgumentException bad) {
      throw new ParameterException(command, String.valueOf(bad.getMessage()));
    }
  }
}
