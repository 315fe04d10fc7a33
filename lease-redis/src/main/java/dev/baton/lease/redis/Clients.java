// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients of our own, as leases need them. */
final class Clients {
  private static final int QUEUE = 100_000;
  private static final long FIRST_RETRY_MILLIS = 20;
  private static final long END_SECONDS = 2;

  /**
   * A server that is back is found within that time, however long it was away. Lettuce doubles its delays up to half a minute: leases would be lost
   * though the server is there again.
   */
  static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  private Clients() {}

  /** For one server. */
  static RedisClient create(Duration timeout, @Nullable SslOptions certificates) {
    RedisClient client = RedisClient.create(resources());
    ClientOptions.Builder options = ClientOptions.builder();
    set(options, timeout, certificates);
    client.setOptions(options.build());
    return client;
  }

  /** For a cluster of which {@code node} is one. */
  static RedisClusterClient create(RedisURI node, Duration timeout, @Nullable SslOptions certificates) {
    RedisClusterClient client = RedisClusterClient.create(resources(), node);
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    set(options, timeout, certificates);
    // Connections to nodes are made when they are first needed: what comes before is sent then, if it is not too late for it.
    options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.ACCEPT_COMMANDS);
    options.topologyRefreshOptions(
        ClusterTopologyRefreshOptions.builder()
            .adaptiveRefreshTriggersTimeout(LONGEST_RETRY)
            .enablePeriodicRefresh()
            .build());
    client.setOptions(options.build());
    return client;
  }

  private static ClientResources resources() {
    return ClientResources.builder()
        .reconnectDelay(Delay.fullJitter(Duration.ofMillis(1), LONGEST_RETRY, FIRST_RETRY_MILLIS, TimeUnit.MILLISECONDS))
        .build();
  }

  private static void set(ClientOptions.Builder options, Duration timeout, @Nullable SslOptions certificates) {
    options
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(QUEUE)
        // What was sent and not answered is asked for again by us, who know whether anybody still wants it.
        .replayFilter(command -> command.getType() == CommandType.EVALSHA || command.getType() == CommandType.EVAL)
        .timeoutOptions(TimeoutOptions.enabled(timeout));
    if (certificates != null) {
      options.sslOptions(certificates);
    }
  }

  /** Shuts it down, with its threads, and does not wait for that. */
  static void end(AbstractRedisClient client) {
    client.shutdownAsync().whenComplete((done, failed) -> client.getResources().shutdown(0, END_SECONDS, TimeUnit.SECONDS));
  }
}
