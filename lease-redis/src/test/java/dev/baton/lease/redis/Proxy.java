// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Stands between a process and its server, and can cut the wire, keep back what the server says, or answer scripts by an error. */
final class Proxy implements AutoCloseable {
  private static final Pattern SCRIPT = Pattern.compile("\\$\\d+\r\n(EVALSHA|EVAL)\r\n");

  private final ServerSocket entrance;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile boolean mute;
  private volatile String refusal = "";

  /** The connections of a process are made in this order: requests, beats, messages. */
  static final int REQUESTS = 0;

  static final int BEATS = 1;

  // Guarded by this.
  private int accepted;
  private int keptBackOf = -1;
  private long keptBack;

  Proxy(int target) {
    this.target = target;
    try {
      entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::accept);
  }

  String uri() {
    return "redis://127.0.0.1:" + entrance.getLocalPort();
  }

  /** Ends all connections, and lets no new one through. */
  void cut() {
    cut = true;
    drop();
  }

  /** Ends all connections; new ones are let through. */
  void drop() {
    sockets.forEach(Proxy::end);
    sockets.clear();
  }

  void mend() {
    cut = false;
    mute = false;
    refusal = "";
  }

  /** From now on scripts do not come through, and are answered by that error. */
  void refuse(String error) {
    refusal = error;
  }

  /** From now on nothing that the server says comes through. */
  void mute() {
    mute = true;
  }

  /** From now on what the server says to that connection is not delivered until it is asked for. */
  synchronized void keepBack(int connection) {
    keptBackOf = connection;
  }

  /** How many bytes are kept back. */
  synchronized long keptBack() {
    return keptBack;
  }

  /** Delivers what was kept back. */
  synchronized void deliver() {
    keptBackOf = -1;
    notifyAll();
  }

  private synchronized void awaitDelivery(int connection, int bytes) {
    if (connection != keptBackOf) {
      return;
    }
    keptBack += bytes;
    try {
      while (connection == keptBackOf) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized int next() {
    return accepted++;
  }

  private void accept() {
    try {
      while (true) {
        Socket inside = entrance.accept();
        if (cut) {
          end(inside);
          continue;
        }
        Socket outside = new Socket(InetAddress.getLoopbackAddress(), target);
        inside.setTcpNoDelay(true);
        outside.setTcpNoDelay(true);
        sockets.add(inside);
        sockets.add(outside);
        int number = next();
        Thread.startVirtualThread(() -> pump(inside, outside, number, false));
        Thread.startVirtualThread(() -> pump(outside, inside, number, true));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  private void pump(Socket from, Socket to, int number, boolean answers) {
    byte[] buffer = new byte[16_384];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!answers && refused(from, new String(buffer, 0, n, StandardCharsets.ISO_8859_1))) {
          continue;
        }
        if (answers) {
          awaitDelivery(number, n);
        }
        if (!answers || !mute) {
          out.write(buffer, 0, n);
        }
      }
    } catch (IOException ended) {
      // the end
    }
    end(from);
    end(to);
  }

  private boolean refused(Socket client, String requests) throws IOException {
    long scripts = SCRIPT.matcher(requests).results().count();
    String error = refusal;
    if (error.isEmpty() || scripts == 0) {
      return false;
    }
    for (int i = 0; i < scripts; i++) {
      client.getOutputStream().write(("-" + error + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    return true;
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // it is gone
    }
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException ignored) {
      // it is gone
    }
    drop();
  }
}
