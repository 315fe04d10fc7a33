// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.verify.chaos.ServerEvent.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks over the shoulder of a server: MONITOR shows every command of every call of the script, in the order of their execution. */
final class Watch implements AutoCloseable {
  private static final Pattern LINE = Pattern.compile("\\+\\d+\\.\\d+ \\[\\d+ ([^\\]]*)\\] (.*)");
  private static final Pattern ARGUMENT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern KEY = Pattern.compile(Resource.NAMESPACE + ":\\{([^}]*)\\}:(\\w+)");

  private final Socket socket;
  private final Thread reader;
  private final BufferedReader lines;

  /** Tokens of what is held: what is written about a lease again is no other grant. Used by the reader only. */
  private final Map<String, Long> tokens = new HashMap<>();

  /** The id of the lease that is alone, by name. Used by the reader only. */
  private final Map<String, String> alone = new HashMap<>();

  private long step;

  // Guarded by this.
  private final List<ServerEvent> events = new ArrayList<>();
  private String mark = "";

  /** Begins to watch a server, of which {@code known} is held. */
  Watch(int port, Map<String, Snapshot> known) {
    known.values().forEach(one -> one.held.forEach((id, held) -> tokens.put(id, held.token())));
    known.forEach((name, one) -> alone.put(name, one.alone));
    alone.values().removeIf(String::isEmpty);
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1 << 20);
      socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = lines.readLine();
      if (!"+OK".equals(answer)) {
        throw new IllegalStateException("MONITOR is answered by " + answer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reader = Thread.ofPlatform().daemon().name("watch").start(this::read);
  }

  private void read() {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher parts = LINE.matcher(line);
        if (parts.matches()) {
          command(parts.group(1).equals("lua"), parts.group(2));
        }
      }
    } catch (IOException ended) {
      // The server has, or nobody watches any more.
    }
  }

  private void command(boolean script, String text) {
    if (!script) {
      step++;
      if (text.startsWith("\"ECHO\"")) {
        synchronized (this) {
          mark = arguments(text).get(1);
          notifyAll();
        }
      }
      return;
    }
    // Most of it is reading.
    if (text.startsWith("\"H") || text.startsWith("\"Z")) {
      write(arguments(text));
    }
  }

  private void write(List<String> command) {
    Matcher key = KEY.matcher(command.get(1));
    if (!key.matches()) {
      return;
    }
    String name = key.group(1);
    switch (command.get(0) + " " + key.group(2)) {
      case "ZADD wait" -> add(Kind.ENTERED, name, command.get(3), Long.parseLong(command.get(2)), 0);
      case "ZREM wait" -> add(Kind.LEFT, name, command.get(2), 0, 0);
      case "ZADD hold" ->
          add(Kind.KEPT, name, command.get(command.size() - 1), Long.parseLong(command.get(command.size() - 2)), 0);
      case "HSET held" -> {
        alone.remove(name, command.get(2)); // not alone any more, but the same
        HeldJson meta = HeldJson.of(command.get(3));
        Long before = tokens.put(command.get(2), meta.token());
        if (before == null || before != meta.token()) {
          add(Kind.GRANTED, name, command.get(2), meta.token(), meta.permits());
        }
      }
      case "HDEL held" -> {
        tokens.remove(command.get(2));
        add(Kind.DROPPED, name, command.get(2), 0, 0);
      }
      case "HSET cfg" -> state(name, command.get(command.indexOf("state") + 1));
      default -> {
        // Of no interest.
      }
    }
  }

  /** The state of a name is written down, with the lease that is alone if there is one. */
  private void state(String name, String text) {
    SoloLease lease = SoloLease.of(text);
    String before = alone.get(name);
    if (before != null && (lease == null || !lease.id().equals(before))) {
      alone.remove(name);
      tokens.remove(before);
      add(Kind.DROPPED, name, before, 0, 0);
    }
    if (lease != null && !lease.id().equals(before)) {
      alone.put(name, lease.id());
      tokens.put(lease.id(), lease.token());
      add(Kind.KEPT, name, lease.id(), lease.deadline(), 0);
      add(Kind.GRANTED, name, lease.id(), lease.token(), 1);
    }
    add(Kind.COUNTED, name, "", SoloLease.used(text), 0);
  }

  private synchronized void add(Kind kind, String name, String id, long number, int permits) {
    events.add(new ServerEvent(kind, step, name, id, number, permits));
  }

  private static List<String> arguments(String text) {
    List<String> all = new ArrayList<>();
    Matcher next = ARGUMENT.matcher(text);
    while (next.find()) {
      all.add(next.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    return all;
  }

  /** Returns when the server was seen to be asked to say {@code text}. */
  void awaitMark(String text) {
    Soon.holds(
        "the watch sees a mark",
        () -> {
          synchronized (this) {
            return mark.equals(text);
          }
        });
  }

  /** All that was seen. */
  synchronized List<ServerEvent> events() {
    return List.copyOf(events);
  }

  @Override
  public void close() {
    try {
      socket.close();
      reader.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
