// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Three connections: one for requests, one for beats, which must not stand behind them, and one that is told of grants. */
final class Link implements AutoCloseable {
  private final Dialer dialer;
  private final boolean ours;
  private final RedisConnectionStateListener listener;
  private final Deque<AutoCloseable> connections = new ArrayDeque<>();
  private volatile Runnable onReconnect = () -> {};
  final RedisClusterAsyncCommands<String, String> requests;
  final RedisClusterAsyncCommands<String, String> beats;

  /** Connects; subscribed to {@code channel} before this returns. Closing it shuts the client down if that is {@code ours}. */
  Link(Dialer dialer, boolean ours, String channel, Consumer<String> onMessage) {
    this.dialer = dialer;
    this.ours = ours;
    this.listener =
        new RedisConnectionStateListener() {
          @Override
          public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
            onReconnect.run();
          }
        };
    try {
      requests = call();
      beats = call();
      StatefulRedisPubSubConnection<String, String> messages = dialer.listen();
      connections.push(messages);
      messages.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String text) {
              onMessage.accept(text);
            }
          });
      messages.sync().subscribe(channel);
    } catch (RuntimeException failed) {
      connections.forEach(Link::close);
      throw failed;
    }
  }

  private RedisClusterAsyncCommands<String, String> call() {
    Dialer.Opened call = dialer.call();
    connections.push(call.connection());
    return call.commands();
  }

  private static void close(AutoCloseable connection) {
    try {
      connection.close();
    } catch (Exception ignored) {
      // It is given up anyway.
    }
  }

  /** From now on {@code action} runs whenever one of the connections is back. It must not block. */
  void whenReconnected(Runnable action) {
    onReconnect = action;
    dialer.client().addListener(listener);
  }

  @Override
  public void close() {
    onReconnect = () -> {};
    dialer.client().removeListener(listener);
    connections.forEach(Link::close);
    if (ours) {
      Clients.end(dialer.client());
    }
  }
}
