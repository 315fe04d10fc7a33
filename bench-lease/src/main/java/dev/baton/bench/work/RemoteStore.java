// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection of one process to a server that keeps permits, by one implementation. All callers of the process share it. */
interface RemoteStore extends AutoCloseable {
  /** How long a permit may be held, where an implementation has that: much longer than it ever is. */
  Duration TTL = Duration.ofMinutes(1);

  RemoteGate gate(String name, int permits) throws Exception;

  @Override
  void close() throws IOException;

  /** Connects {@code peer} for so many callers, to {@code redis} unless it has another kind of server, which it starts itself. */
  static RemoteStore of(Peer peer, @Nullable RedisProcess redis, int callers) throws Exception {
    if (peer == Peer.CURATOR) {
      return new CuratorStore();
    }
    if (redis == null) {
      throw new IllegalArgumentException(peer.label() + " needs Redis");
    }
    return switch (peer) {
      case BARE_PINGS -> new PingStore(redis.uri());
      case BATON_REDIS -> new BatonStore(redis.uri());
      case REDISSON_PERMIT, REDISSON_SEMAPHORE -> new RedissonStore(redis.uri(), callers, peer == Peer.REDISSON_PERMIT);
      default -> throw new IllegalArgumentException(peer.label() + " keeps no permits on a server");
    };
  }

  /** The server that {@code peer} needs beside itself. */
  static @Nullable RedisProcess serverOf(Peer peer) {
    return peer == Peer.CURATOR ? null : new RedisProcess();
  }
}
