// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Leases;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Leases that several processes share, on Redis or Valkey.
 *
 * {@snippet :
 * try (Leases leases = RedisLeases.connect("redis://localhost:6379")) {
 *   LeaseSemaphore exports = leases.semaphore("exports", 3).ttl(Duration.ofMinutes(10));
 *   try (Lease lease = exports.acquire()) {
 *     System.out.println("one of three in all processes, token " + lease.fencingToken());
 *   }
 * }
 * }
 *
 * <p>One primary server, found by its address or by sentinels, or a cluster, found by one of its nodes; version 6.0 or later.
 * What is promised, and what cannot be, stands in the guide.
 */
public final class RedisLeases {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** A longer one cannot be counted in nanoseconds everywhere. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

  private RedisLeases() {}

  /**
   * Connects to the server at {@code uri}, such as {@code redis://user:password@host:6379/0}, or {@code rediss://…} for TLS.
   *
   * @param uri where the server is, with user, password and database where there are such
   * @return leases, connected; closing them ends the connections
   * @throws IllegalArgumentException if it is not such an address
   * @throws BackendUnavailableException if there is no such server, it is too old, or the password is wrong
   */
  public static Leases connect(String uri) {
    return builder().uri(uri).connect();
  }

  /**
   * For those who have more to say.
   *
   * @return a builder, of which nothing is set
   */
  public static Builder builder() {
    return new Builder();
  }

  /** What there is to say about a connection. Not safe for use by several threads. */
  public static final class Builder {
    /** How often to connect until there is a reason why one cannot. */
    private static final int ATTEMPTS = 3;

    private @Nullable RedisURI uri;
    private @Nullable RedisClient client;
    private @Nullable SslOptions ssl;
    private String namespace = "baton";
    private Duration timeout = TIMEOUT;
    private WhenUnavailable whenUnavailable = WhenUnavailable.FAIL;

    private Builder() {}

    /**
     * Where the server is: {@code redis://}, {@code rediss://} (TLS) or {@code redis-sentinel://host:26379,other:26379/0#master}, with user, password
     * and database where there are such. What has a meaning in an address, such as {@code @}, is written as {@code %40} in a password. A Unix socket,
     * {@code redis-socket:///path}, is refused unless a native transport of Netty's is on the class path; it is not tested with one.
     *
     * @param address where the server is
     * @return this builder
     * @throws IllegalArgumentException if it is not such an address; the message does not repeat it, for it may hold a password
     */
    public Builder uri(String address) {
      uri = Addresses.parse(Objects.requireNonNull(address, "address"));
      return this;
    }

    /**
     * Where the server is.
     *
     * @param address where the server is
     * @return this builder
     * @throws IllegalArgumentException if it is a Unix socket, and no native transport of Netty's is on the class path
     */
    public Builder uri(RedisURI address) {
      uri = Addresses.usable(Objects.requireNonNull(address, "address"));
      return this;
    }

    /**
     * Uses a client of the caller's, with its options, instead of a new one; it is not shut down with the leases. Three connections are made by it.
     * Have it reject commands while it is not connected, else those who ask then wait until it is.
     *
     * @param own connected to nothing yet, or to others too
     * @return this builder
     */
    public Builder client(RedisClient own) {
      client = Objects.requireNonNull(own, "client");
      return this;
    }

    /**
     * Certificates and the like for TLS. Not together with {@link #client}, which has its own.
     *
     * @param options what the client for this server uses
     * @return this builder
     */
    public Builder ssl(SslOptions options) {
      ssl = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * What all keys begin with; {@code baton} unless set. The same name in two namespaces is two semaphores.
     *
     * @param prefix letters, digits and the like; empty is refused
     * @return this builder
     * @throws IllegalArgumentException if it is not made of letters, digits, dots, dashes and underscores
     */
    public Builder namespace(String prefix) {
      Objects.requireNonNull(prefix, "prefix");
      if (!prefix.matches("[A-Za-z0-9._-]{1,100}")) {
        throw new IllegalArgumentException(
            "A namespace has 1 to 100 letters, digits, dots, dashes and underscores; this one has not: " + prefix);
      }
      namespace = prefix;
      return this;
    }

    /**
     * How long an answer of the server is waited for; two seconds unless set.
     *
     * @param time how long at most; positive, and a year if it is longer
     * @return this builder
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder commandTimeout(Duration time) {
      Objects.requireNonNull(time, "time");
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException("An answer is waited for for some time, not for " + time + ".");
      }
      timeout = time.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT : time;
      return this;
    }

    /**
     * What becomes of those who ask while the server cannot be reached; {@link WhenUnavailable#FAIL} unless set.
     *
     * @param policy what becomes of them
     * @return this builder
     */
    public Builder whenUnavailable(WhenUnavailable policy) {
      whenUnavailable = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Connects. If what answers is a node of a cluster, connects to all of it: each name is on one of its nodes.
     *
     * @return leases, connected; closing them ends the connections
     * @throws IllegalStateException if no address was given
     * @throws BackendUnavailableException if there is no such server, it is too old, or the password is wrong
     */
    public Leases connect() {
      RedisURI address = uri;
      if (address == null) {
        throw new IllegalStateException("Where is Redis? Call uri(…) first.");
      }
      RedisURI timed = Addresses.timed(address, timeout);
      RedisClient own = client;
      RedisClient used = own == null ? Clients.create(timeout, ssl) : own;
      RedisStore store = open(Dialer.of(used, timed), own == null, address);
      Server.About about = require(store);
      if (about.plain()) {
        store.share();
      }
      if (about.nodes() > 1) {
        store.close();
        if (own != null) {
          throw new BackendUnavailableException(
              "Redis at " + Server.shown(address) + " is a cluster, which this client cannot use. Leave the client away: there will be one that can.",
              null);
        }
        store = open(Dialer.of(Clients.create(timed, timeout, ssl)), true, address);
        require(store);
      }
      return Leases.on(store);
    }

    private RedisStore open(Dialer dialer, boolean ours, RedisURI address) {
      for (int attempt = 1; ; attempt++) {
        try {
          return new RedisStore(dialer, ours, namespace, timeout, whenUnavailable);
        } catch (RuntimeException failed) {
          if (attempt < ATTEMPTS && Errors.isUnexplained(failed)) {
            continue;
          }
          if (ours) {
            Clients.end(dialer.client());
          }
          throw Server.notReached(address, failed);
        }
      }
    }

    private Server.About require(RedisStore store) {
      try {
        return Server.require(store.link(), timeout);
      } catch (RuntimeException unfit) {
        store.close();
        throw unfit;
      }
    }

    @Override
    public String toString() {
      RedisURI address = uri;
      return "RedisLeases.Builder[" + (address == null ? "no address" : Server.shown(address)) + ", " + namespace + "]";
    }
  }
}
