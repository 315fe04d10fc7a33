// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;

/**
 * The floor: a PING instead of acquiring and another instead of releasing, on one connection with the settings that Baton gives to its own. It
 * guards nothing.
 */
final class PingStore implements RemoteStore {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int QUEUE = 100_000;

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  PingStore(String uri) {
    client = RedisClient.create(uri);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(true)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(QUEUE)
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT))
            .build());
    connection = client.connect();
  }

  @Override
  public RemoteGate gate(String name, int permits) {
    return new RemoteGate() {
      @Override
      public Object acquire() {
        return connection.sync().ping();
      }

      @Override
      public void release(Object held) {
        connection.sync().ping();
      }

      @Override
      public int free() {
        return permits;
      }
    };
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
