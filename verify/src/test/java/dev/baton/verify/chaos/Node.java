// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/** A running server: that of {@code -Dbaton.redis.server=path}, else the one that comes with the tests. What it has said is in its log at once. */
final class Node implements AutoCloseable {
  static final String DRIVER = "driver";
  private static final File EXECUTABLE = executable();

  final int port;
  private final Path directory;
  private final Process process;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  /** Starts on what lies in {@code directory}; {@code master} is the port of the server whose replica it is, or 0. */
  Node(Path directory, int port, int master) {
    this.directory = directory;
    this.port = port;
    List<String> command = new ArrayList<>(List.of(EXECUTABLE.getPath(), "--port", "" + port, "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", directory + "", "--save", "", "--appendonly", "yes", "--appendfsync", "no"));
    command.addAll(List.of("--auto-aof-rewrite-percentage", "0", "--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"));
    if (master > 0) {
      command.addAll(List.of("--replicaof", "127.0.0.1", "" + master));
    }
    try {
      Files.createDirectories(directory);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("server.log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = RedisClient.create(RedisURI.builder().withHost("127.0.0.1").withPort(port).withClientName(DRIVER).build());
    connection = connect();
  }

  private static File executable() {
    try {
      String other = System.getProperty("baton.redis.server", "");
      return other.isEmpty() ? ExecutableProvider.newJarResourceProvider().get() : new File(other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StatefulRedisConnection<String, String> connect() {
    Soon.holds("the server on port " + port + " answers", this::answers);
    return client.connect();
  }

  private boolean answers() {
    if (!process.isAlive()) {
      throw new IllegalStateException("The server has ended with " + process.exitValue() + ": see server.log in " + directory);
    }
    try (StatefulRedisConnection<String, String> first = client.connect()) {
      return first.sync().ping().equals("PONG");
    } catch (RedisException notYet) {
      return false;
    }
  }

  RedisCommands<String, String> admin() {
    return connection.sync();
  }

  String info(String section, String field) {
    Matcher line = Pattern.compile("^" + field + ":(\\S*)", Pattern.MULTILINE).matcher(admin().info(section));
    return line.find() ? line.group(1) : "";
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.shutdown();
  }
}
