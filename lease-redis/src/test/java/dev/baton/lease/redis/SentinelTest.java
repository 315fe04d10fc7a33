// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import io.lettuce.core.RedisURI;
import java.io.File;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisSentinel;
import redis.embedded.core.RedisSentinelBuilder;

/** A server that is found by asking sentinels for it. */
class SentinelTest {
  private static final String SECRET = "s3cr3t-Pa55word";

  @Test
  void aServerIsFoundByTheFirstSentinelThatAnswers() throws Exception {
    int nobody = freePort();
    int port = freePort();
    try (TestServer server = new TestServer("requirepass " + SECRET)) {
      RedisSentinel sentinel = sentinel(port, server.port());
      sentinel.start();
      try (Leases found = RedisLeases.connect(address(nobody, port));
          Leases same = RedisLeases.builder().uri("redis://:" + SECRET + "@localhost:" + server.port() + "/3").connect();
          Lease lease = found.semaphore("door", 1).acquire()) {
        LeaseSemaphore door = same.semaphore("door", 1);
        assertThat(door.holders()).singleElement().satisfies(holder -> assertThat(holder.id()).isEqualTo(lease.id()));
      } finally {
        sentinel.stop();
      }
    }
  }

  @Test
  void sentinelsThatDoNotAnswerAreNamed() throws Exception {
    int first = freePort();
    int second = freePort();
    assertThatThrownBy(() -> RedisLeases.connect(address(first, second)))
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("main (by sentinels at localhost:" + first + ", localhost:" + second + ") cannot be used: no connection")
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void aTimedCopyIsTheSameAddress() {
    RedisURI address = RedisURI.create(address(1, 2));
    RedisURI copy = Addresses.timed(address, Duration.ofMillis(700));

    assertThat(copy).isEqualTo(address);
    assertThat(copy.getTimeout()).isEqualTo(Duration.ofMillis(700));
    assertThat(copy.getSentinels()).allSatisfy(sentinel -> assertThat(sentinel.getTimeout()).isEqualTo(Duration.ofMillis(700)));
    assertThat(address.getTimeout()).isNotEqualTo(copy.getTimeout());
  }

  private static String address(int first, int second) {
    return "redis-sentinel://:" + SECRET + "@localhost:" + first + ",localhost:" + second + "/3#main";
  }

  private static RedisSentinel sentinel(int port, int serverPort) {
    RedisSentinelBuilder builder = RedisSentinel.newRedisSentinel().port(port).masterName("main").masterPort(serverPort);
    String other = System.getProperty("baton.redis.server", "");
    return (other.isEmpty() ? builder : builder.executableProvider(() -> new File(other))).build();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
