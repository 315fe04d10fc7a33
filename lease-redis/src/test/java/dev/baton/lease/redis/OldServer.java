// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Speaks as an old server does: enough to connect to it and to ask for its version. There is none to be had to run. */
final class OldServer implements AutoCloseable {
  private final ServerSocket entrance;
  private final String version;

  OldServer(String version) {
    this.version = version;
    try {
      entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = entrance.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> command = new ArrayList<>();
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          in.readLine(); // its length
          command.add(in.readLine());
        }
        out.write(answer(command).getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException ended) {
      // so does this
    }
  }

  private String answer(List<String> command) {
    return switch (command.get(0).toUpperCase(Locale.ROOT)) {
      case "AUTH", "SELECT", "CLIENT" -> "+OK\r\n";
      case "PING" -> "+PONG\r\n";
      case "SUBSCRIBE" -> "*3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n";
      case "INFO" -> bulk("# Server\r\nredis_version:" + version + "\r\n");
      default -> "-ERR unknown command '" + command.get(0) + "'\r\n";
    };
  }

  private static String bulk(String text) {
    return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException ignored) {
      // it is gone
    }
  }
}
