// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Three connections: one for requests, one for beats, which must not stand behind them, and one that is told of grants. */
final class Link implements AutoCloseable {
  private final RedisClient client;
  private final boolean ours;
  private final RedisConnectionStateListener listener;
  private volatile Runnable onReconnect = () -> {};
  final StatefulRedisConnection<String, String> requests;
  final StatefulRedisConnection<String, String> beats;
  private final StatefulRedisPubSubConnection<String, String> messages;

  /** Connects; subscribed to {@code channel} before this returns. */
  Link(RedisClient client, RedisURI uri, boolean ours, String channel, Consumer<String> onMessage) {
    this.client = client;
    this.ours = ours;
    this.listener =
        new RedisConnectionStateListener() {
          @Override
          public void onRedisConnected(io.lettuce.core.RedisChannelHandler<?, ?> connection, SocketAddress address) {
            onReconnect.run();
          }
        };
    StatefulRedisConnection<String, String> first = null;
    StatefulRedisConnection<String, String> second = null;
    StatefulRedisPubSubConnection<String, String> third = null;
    try {
      first = client.connect(uri);
      second = client.connect(uri);
      third = client.connectPubSub(uri);
      third.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String text) {
              onMessage.accept(text);
            }
          });
      third.sync().subscribe(channel);
    } catch (RuntimeException failed) {
      close(first);
      close(second);
      close(third);
      throw failed;
    }
    requests = first;
    beats = second;
    messages = third;
  }

  private static void close(@Nullable AutoCloseable connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (Exception ignored) {
      // It is given up anyway.
    }
  }

  /** From now on {@code action} runs whenever one of the connections is back. It must not block. */
  void whenReconnected(Runnable action) {
    onReconnect = action;
    client.addListener(listener);
  }

  @Override
  public void close() {
    onReconnect = () -> {};
    client.removeListener(listener);
    close(messages);
    close(beats);
    close(requests);
    if (ours) {
      Clients.end(client);
    }
  }
}
