// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import redis.embedded.RedisServer;

/**
 * A real {@code redis-server} on a free port, which keeps nothing on disk. It ends with this, and in any case with the JVM. A connection of its
 * own, made by hand, asks it what it was sent: so the count is the server's, and no client has a part in it.
 */
final class RedisProcess implements AutoCloseable {
  /** What only clients send. The other commands that are counted were called by scripts. */
  private static final Set<String> SENT =
      Set.of("eval", "evalsha", "script", "ping", "subscribe", "unsubscribe", "psubscribe", "wait", "client", "hello", "auth", "select");

  private static final Pattern CALLS = Pattern.compile("cmdstat_(\\w+)[^:\\s]*:calls=(\\d+)");
  private static final byte[] ASK = "INFO commandstats\r\n".getBytes(StandardCharsets.US_ASCII);

  private final int port;
  private final RedisServer server;
  private final Socket admin;
  private final InputStream answers;

  RedisProcess() {
    try {
      port = freePort();
      server =
          RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").setting("appendonly no").build();
      server.start(); // and has the JVM stop it at its end
      admin = new Socket(InetAddress.getLoopbackAddress(), port);
      admin.setTcpNoDelay(true);
      answers = new BufferedInputStream(admin.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("Redis could not be started", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** How many commands clients have sent so far. */
  synchronized long commands() {
    try {
      admin.getOutputStream().write(ASK);
      admin.getOutputStream().flush();
      String length = line();
      String text = new String(answers.readNBytes(Integer.parseInt(length.substring(1))), StandardCharsets.US_ASCII);
      line();
      return CALLS.matcher(text)
          .results()
          .filter(command -> SENT.contains(command.group(1)))
          .mapToLong(command -> Long.parseLong(command.group(2)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = answers.read(); c != '\n'; c = answers.read()) {
      if (c < 0) {
        throw new EOFException("Redis has gone");
      }
      if (c != '\r') {
        text.append((char) c);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    try {
      admin.close();
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
