// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static java.util.stream.Collectors.joining;

import dev.baton.lease.BackendUnavailableException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of a server before it is used, and how it is named where people read it: without user or password. */
final class Server {
  private static final System.Logger LOG = System.getLogger("dev.baton.lease.redis");
  private static final int OLDEST = 6;

  private Server() {}

  static String shown(RedisURI uri) {
    if (!uri.getSentinels().isEmpty()) {
      return uri.getSentinels().stream()
          .map(sentinel -> sentinel.getHost() + ":" + sentinel.getPort())
          .collect(joining(", ", uri.getSentinelMasterId() + " (by sentinels at ", ")"));
    }
    String place = uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
    return place + "/" + uri.getDatabase() + (uri.isSsl() ? " (TLS)" : "");
  }

  static BackendUnavailableException notReached(RedisURI uri, RuntimeException why) {
    return new BackendUnavailableException("Redis at " + shown(uri) + " cannot be used: " + reason(uri, why) + ".", why);
  }

  /** In words of ours: those of a server may repeat what it was sent, a password included. */
  private static String reason(RedisURI uri, RuntimeException why) {
    if (says(why, "NOAUTH")) {
      return "it asks for a password, and was given none; one stands before the host, as in redis://:password@host:6379";
    }
    if (Errors.isAboutRights(why)) {
      return "the user or the password is wrong, or the user may not do this";
    }
    if (says(why, "DB index")) {
      return "it has no database " + uri.getDatabase() + "; there are 0 to 15 unless its setting 'databases' says otherwise";
    }
    return "no connection; see that it is running there, and that TLS is on at both ends or at none";
  }

  private static boolean says(RuntimeException error, String words) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && message.contains(words)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What a server is.
   *
   * @param nodes of how many nodes its cluster is made: 1 if it is none
   * @param plain whether it is known to be no cluster: then one call may be about several names
   */
  record About(int nodes, boolean plain) {}

  /** Refuses a server that cannot do what is needed, and warns of one that may forget. */
  static About require(Link link, Duration timeout) {
    CompletableFuture<String> info = link.requests.info().toCompletableFuture();
    String about = Reply.orNull(info, timeout.toNanos());
    if (about == null && info.isDone() && Errors.isAboutRights(info.exceptionNow())) {
      return new About(1, false); // a user that may not ask may still do what is needed
    }
    if (about == null) {
      throw Errors.unavailable("tell its version", info.isDone() ? info.exceptionNow() : null);
    }
    requireVersion(field(about, "redis_version"));
    String policy = field(about, "maxmemory_policy");
    if (!policy.isEmpty() && !policy.equals("noeviction") && !field(about, "maxmemory").equals("0")) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Redis may evict leases: maxmemory-policy is " + policy + ". Set it to noeviction, or limits can be exceeded.");
    }
    if (field(about, "cluster_enabled").equals("0")) {
      return new About(1, true);
    }
    return new About(nodes(Reply.orNull(link.requests.clusterInfo().toCompletableFuture(), timeout.toNanos())), false);
  }

  static void requireVersion(String version) {
    Matcher major = Pattern.compile("(\\d+)\\..*").matcher(version);
    if (major.matches() && Integer.parseInt(major.group(1)) < OLDEST) {
      throw new BackendUnavailableException(
          "This Redis is version " + version + "; leases need " + OLDEST + ".0 or later, or any Valkey.", null);
    }
  }

  private static int nodes(@Nullable String about) {
    String nodes = about == null ? "" : field(about, "cluster_size");
    return nodes.isEmpty() ? 1 : Integer.parseInt(nodes);
  }

  private static String field(String text, String name) {
    Matcher line = Pattern.compile("^" + name + ":(\\S*)", Pattern.MULTILINE).matcher(text);
    return line.find() ? line.group(1) : "";
  }
}
