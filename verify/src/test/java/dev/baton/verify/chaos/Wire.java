// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What stands between one process and the server, and does not always work. */
final class Wire implements AutoCloseable {
  enum State {
    OPEN,
    /** Connections end, and there are no new ones. */
    CUT,
    /** Everything is thrown away. */
    SWALLOWING,
    /** Everything that the server says is thrown away. */
    MUTE,
    /** Everything waits until the wire is open again. */
    HOLDING
  }

  private static final int CHUNK = 16_384;

  private final ServerSocket entrance;
  private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();

  // Guarded by this.
  private int target;
  private State state = State.OPEN;
  private boolean shut;

  /** A connection on both sides of the wire; torn if something is missing in what it has carried. */
  private static final class Pair {
    private final Socket inside;
    private final Socket outside;
    private boolean torn;

    Pair(Socket inside, Socket outside) {
      this.inside = inside;
      this.outside = outside;
    }

    void end() {
      close(inside);
      close(outside);
    }
  }

  Wire(int target) {
    this.target = target;
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

  synchronized void become(State next) {
    state = next;
    if (next == State.CUT) {
      endAll();
    } else if (next == State.OPEN) {
      // Half a message cannot be gone on with.
      pairs.removeIf(
          pair -> {
            if (pair.torn) {
              pair.end();
            }
            return pair.torn;
          });
    }
    notifyAll();
  }

  /** Ends all connections and lets nothing through, whatever else is wrong with it, until there is a server again. */
  synchronized void shut() {
    shut = true;
    endAll();
    notifyAll();
  }

  /** What comes in goes to the server on that port from now on. */
  synchronized void lead(int port) {
    target = port;
    shut = false;
  }

  private void endAll() {
    pairs.forEach(Pair::end);
    pairs.clear();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        join(entrance.accept());
      } catch (IOException gone) {
        // The wire is closed, or there is no server now.
      }
    }
  }

  private synchronized void join(Socket inside) throws IOException {
    if (shut || state == State.CUT) {
      close(inside);
      return;
    }
    Socket outside;
    try {
      outside = new Socket(InetAddress.getLoopbackAddress(), target);
      inside.setTcpNoDelay(true);
      outside.setTcpNoDelay(true);
    } catch (IOException noServer) {
      close(inside);
      throw noServer;
    }
    Pair pair = new Pair(inside, outside);
    pairs.add(pair);
    Thread.startVirtualThread(() -> pump(pair, inside, outside, false));
    Thread.startVirtualThread(() -> pump(pair, outside, inside, true));
  }

  private void pump(Pair pair, Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (passes(pair, answers)) {
          out.write(buffer, 0, n);
        }
      }
    } catch (IOException ended) {
      // So does the other side.
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
    pair.end();
    pairs.remove(pair);
  }

  private synchronized boolean passes(Pair pair, boolean answer) throws InterruptedException {
    while (state == State.HOLDING && !shut) {
      wait();
    }
    boolean passes = state == State.OPEN || (state == State.MUTE && !answer);
    pair.torn |= !passes;
    return passes;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // It is gone.
    }
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException ignored) {
      // It is gone.
    }
    shut();
  }
}
