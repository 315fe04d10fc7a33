// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** A real server, of this test's own. */
final class RedisProcess implements AutoCloseable {
  private final int port;
  private final RedisServer server;

  RedisProcess(String... settings) {
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      RedisServerBuilder builder = RedisServer.newRedisServer().port(port).bind("127.0.0.1");
      builder.setting("save \"\"").setting("appendonly no");
      for (String setting : settings) {
        builder.setting(setting);
      }
      server = builder.build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  String uri() {
    return "redis://localhost:" + port;
  }

  /** For so long it answers nobody. */
  void pause(Duration time) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(("CLIENT PAUSE " + time.toMillis() + "\r\n").getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('+');
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends it, before its time. */
  void stop() {
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
