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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks over the shoulder of a server: MONITOR shows every command of every call of the script, in the order of their execution. */
final class Watch implements AutoCloseable {
  private static final Pattern LINE = Pattern.compile("\\+\\d+\\.\\d+ \\[\\d+ ([^\\]]*)\\] (.*)");
  private static final Pattern ARGUMENT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern KEY = Pattern.compile(Resource.NAMESPACE + ":\\{([^}]*)\\}:(\\w+)");

  /** What the script puts into a line for a moment begins so, and no id does. */
  private static final String NOBODY = "-";

  private final Socket socket;
  private final Thread reader;
  private final BufferedReader lines;

  /** Tokens of what is held: what is written about a lease again is no other grant. Used by the reader only. */
  private final Map<String, Long> tokens = new HashMap<>();

  /** Who waits: one that is written down again is no other. Used by the reader only. */
  private final Set<String> waiting = new HashSet<>();

  /** By name, the ids of the leases in the short form, and until when they are kept. Used by the reader only. */
  private final Map<String, Map<String, Long>> inShortForm = new HashMap<>();

  private long step;

  // Guarded by this.
  private final List<ServerEvent> events = new ArrayList<>();
  private String mark = "";

  /** Begins to watch a server, of which {@code known} is held. */
  Watch(int port, Map<String, Snapshot> known) {
    known.values().forEach(one -> one.held.forEach((id, held) -> tokens.put(id, held.token())));
    known.values().forEach(one -> waiting.addAll(one.tickets.keySet()));
    known.forEach((name, one) -> inShortForm.put(name, new HashMap<>(one.inShortForm)));
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
      case "ZADD wait" -> enter(name, command.subList(command.get(2).equals("NX") ? 3 : 2, command.size()));
      case "ZREM wait" -> {
        for (String id : command.subList(2, command.size())) {
          waiting.remove(id);
          add(Kind.LEFT, name, id, 0, 0);
        }
      }
      case "ZADD hold" ->
          add(Kind.KEPT, name, command.get(command.size() - 1), Long.parseLong(command.get(command.size() - 2)), 0);
      case "HSET held" -> {
        inShortForm(name).remove(command.get(2)); // elsewhere now, but the same
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

  private Map<String, Long> inShortForm(String name) {
    return inShortForm.computeIfAbsent(name, one -> new HashMap<>());
  }

  /** {@code places}: tickets and ids, in turn. */
  private void enter(String name, List<String> places) {
    for (int i = 0; i < places.size(); i += 2) {
      if (!places.get(i + 1).startsWith(NOBODY) && waiting.add(places.get(i + 1))) {
        add(Kind.ENTERED, name, places.get(i + 1), Long.parseLong(places.get(i)), 0);
      }
    }
  }

  /** The state of a name is written down, with those who hold it if that is the short form. What differs from before has happened. */
  private void state(String name, String text) {
    ShortForm form = ShortForm.of(text);
    Map<String, Long> before = inShortForm(name);
    Map<String, Long> now = new HashMap<>();
    form.leases().forEach(lease -> now.put(lease.id(), lease.token()));
    before.keySet().removeIf(id -> {
      boolean dropped = !tokens.getOrDefault(id, 0L).equals(now.get(id));
      if (dropped) {
        tokens.remove(id);
        add(Kind.DROPPED, name, id, 0, 0);
      }
      return dropped;
    });
    for (ShortForm.Lease lease : form.leases()) {
      Long until = before.put(lease.id(), lease.deadline());
      if (until == null || until != lease.deadline()) {
        add(Kind.KEPT, name, lease.id(), lease.deadline(), 0);
      }
      Long token = tokens.put(lease.id(), lease.token());
      if (token == null || token != lease.token()) {
        add(Kind.GRANTED, name, lease.id(), lease.token(), 1);
      }
    }
    add(Kind.COUNTED, name, "", form.used(), 0);
  }

  private synchronized void add(Kind kind, String name, String id, long number, int permits) {
    events.add(new ServerEvent(kind, step, name, id, number, permits));
  }

  private static List<String> arguments(String text) {
    List<String> all = new ArrayList<>();
    Matcher next = ARGUMENT.matcher(text);
    while (next.find()) {
      all.add(next.group(1).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"));
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
