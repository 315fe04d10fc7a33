// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** A real server: that of {@code -Dbaton.redis.server=path}, else the one that comes with the tests. */
@SuppressWarnings("NullAway.Init") // made when first needed
final class TestServer implements AutoCloseable {
  private static final int HIGHEST_PORT = 55_000;

  private final int port = freePort();
  private final String[] settings;
  private RedisServer server;
  private final RedisClient client;
  private StatefulRedisConnection<String, String> admin;

  TestServer(String... settings) {
    this.settings = settings;
    start();
    client = RedisClient.create("redis://localhost:" + port);
  }

  private static int freePort() {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0)) {
        // One of a cluster also needs the port that is 10,000 higher.
        if (socket.getLocalPort() < HIGHEST_PORT) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  void start() {
    try {
      RedisServerBuilder builder = RedisServer.newRedisServer().port(port).bind("127.0.0.1");
      builder.setting("save \"\"").setting("appendonly no");
      for (String setting : settings) {
        builder.setting(setting);
      }
      String other = System.getProperty("baton.redis.server", "");
      if (!other.isEmpty()) {
        builder.executableProvider(() -> new File(other));
      }
      server = builder.build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it, with all it has in memory. */
  void stop() {
    try {
      server.stop();
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

  RedisCommands<String, String> admin() {
    if (admin == null) {
      admin = client.connect();
    }
    return admin.sync();
  }

  /** How often each command was called, since the last time the statistics were reset. */
  long calls(String command) {
    Matcher line = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(admin().info("commandstats"));
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }

  /** How long the server had to do with a command, since the last time the statistics were reset. */
  Duration busy(String command) {
    Matcher line = Pattern.compile("cmdstat_" + command + ":calls=\\d+,usec=(\\d+)").matcher(admin().info("commandstats"));
    return line.find() ? Duration.of(Long.parseLong(line.group(1)), ChronoUnit.MICROS) : Duration.ZERO;
  }

  /** What the server has computed since it started: unlike the time that passes, other work on the machine does not lengthen it. */
  Duration computed() {
    Matcher times = Pattern.compile("used_cpu_(?:user|sys):(\\d+)\\.(\\d{6})").matcher(admin().info("cpu"));
    return times
        .results()
        .map(time -> Duration.ofSeconds(Long.parseLong(time.group(1))).plus(Long.parseLong(time.group(2)), ChronoUnit.MICROS))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** The keys there are, without what is only kept for a while. */
  List<String> keysInUse() {
    List<String> keys = new ArrayList<>(admin().keys("*"));
    keys.removeIf(key -> key.endsWith(":cfg"));
    return keys;
  }

  @Override
  public void close() {
    client.shutdown();
    stop();
  }
}
