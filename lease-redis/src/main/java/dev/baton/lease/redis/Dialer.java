// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/** Makes connections: to one server, or to all nodes of a cluster. */
interface Dialer {

  /** A connection, and what can be said through it. */
  record Opened(AutoCloseable connection, RedisClusterAsyncCommands<String, String> commands) {}

  /** By whom they are made. */
  AbstractRedisClient client();

  /** A new connection. */
  Opened call();

  /** A new connection on which others are listened to. In a cluster any node will do: each hears what is said to another. */
  StatefulRedisPubSubConnection<String, String> listen();

  /** To one server. */
  static Dialer of(RedisClient client, RedisURI uri) {
    return new Dialer() {
      @Override
      public AbstractRedisClient client() {
        return client;
      }

      @Override
      public Opened call() {
        StatefulRedisConnection<String, String> connection = client.connect(uri);
        return new Opened(connection, connection.async());
      }

      @Override
      public StatefulRedisPubSubConnection<String, String> listen() {
        return client.connectPubSub(uri);
      }
    };
  }

  /** To a cluster. Each name has its node, found by its hash tag. */
  static Dialer of(RedisClusterClient client) {
    return new Dialer() {
      @Override
      public AbstractRedisClient client() {
        return client;
      }

      @Override
      public Opened call() {
        StatefulRedisClusterConnection<String, String> connection = client.connect();
        return new Opened(connection, connection.async());
      }

      @Override
      public StatefulRedisPubSubConnection<String, String> listen() {
        return client.connectPubSub();
      }
    };
  }
}
