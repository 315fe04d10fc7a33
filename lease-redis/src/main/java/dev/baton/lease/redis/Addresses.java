// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.KqueueProvider;
import java.time.Duration;

/** Addresses of servers. What is refused is not repeated: there may be a password in it. */
final class Addresses {
  private static final String EXAMPLES = " One looks like redis://host:6379, or rediss://user:password@host:6379/0 for TLS.";

  private Addresses() {}

  /**
   * The address that {@code text} is.
   *
   * @throws IllegalArgumentException if it is none, or one that cannot be used
   */
  static RedisURI parse(String text) {
    RedisURI address;
    try {
      address = RedisURI.create(text);
    } catch (RuntimeException bad) {
      throw none(text);
    }
    String host = address.getHost();
    // What the client does not understand it takes for the name of a host, with the port and parts of a password in it.
    if (host != null && (host.isBlank() || (host.contains(":") && !host.startsWith("[")))) {
      throw none(text);
    }
    return usable(address);
  }

  private static IllegalArgumentException none(String text) {
    String hint =
        text.contains("@")
            ? " In a user or a password write %40 for @, %23 for #, %2F for / and %3F for ?, and %25 for %."
            : " After the host stands : and the number of a port; an IPv6 address stands in [ ], and a name has no _ in it.";
    return new IllegalArgumentException("This is no address of Redis." + EXAMPLES + hint);
  }

  /**
   * {@code address}, if there is a way to it.
   *
   * @throws IllegalArgumentException if it is a socket, and nobody here can open one
   */
  static RedisURI usable(RedisURI address) {
    if (address.getSocket() != null && !EpollProvider.isAvailable() && !KqueueProvider.isAvailable() && !IOUringProvider.isAvailable()) {
      throw new IllegalArgumentException(
          "A Unix socket needs a native transport of Netty's (netty-transport-native-epoll or -kqueue, for this machine) on the class path,"
              + " and there is none. Have Redis listen on a port, and use redis://localhost:6379.");
    }
    return address;
  }

  /** A copy that waits for so long. The client's own copies have no sentinels. */
  static RedisURI timed(RedisURI address, Duration timeout) {
    RedisURI.Builder copy = RedisURI.builder(address).withTimeout(timeout);
    for (RedisURI sentinel : address.getSentinels()) {
      copy.withSentinel(timed(sentinel, timeout));
    }
    if (address.getSentinelMasterId() != null) {
      copy.withSentinelMasterId(address.getSentinelMasterId());
    }
    return copy.build();
  }
}
