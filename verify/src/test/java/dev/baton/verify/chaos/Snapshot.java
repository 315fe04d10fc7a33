// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.verify.chaos.ServerEvent.Kind;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Who holds and who waits for one name on the server, as of one moment. */
final class Snapshot {

  /** A lease as the server has it. */
  record Held(int permits, long token, long deadline) {}

  final Map<String, Held> held = new HashMap<>();

  /** Until when the server keeps what it has; written down before the rest of a lease is. */
  private final Map<String, Long> deadlines = new HashMap<>();

  final Map<String, Long> tickets = new HashMap<>();

  /** Those leases that were written down in the short form when this was made, and until when they are kept. */
  final Map<String, Long> inShortForm = new HashMap<>();

  /** What the server has of all names. Nobody may change it meanwhile. */
  static Map<String, Snapshot> of(RedisCommands<String, String> server) {
    Map<String, Snapshot> all = new TreeMap<>();
    for (Resource resource : Resource.ALL) {
      Snapshot one = new Snapshot();
      for (ScoredValue<String> lease : server.zrangeWithScores(resource.key("hold"), 0, -1)) {
        HeldJson meta = HeldJson.of(server.hget(resource.key("held"), lease.getValue()));
        one.held.put(lease.getValue(), new Held(meta.permits(), meta.token(), (long) lease.getScore()));
      }
      for (ShortForm.Lease lease : ShortForm.of(server.hget(resource.key("cfg"), "state")).leases()) {
        one.inShortForm.put(lease.id(), lease.deadline());
        one.held.put(lease.id(), new Held(1, lease.token(), lease.deadline()));
      }
      for (ScoredValue<String> request : server.zrangeWithScores(resource.key("wait"), 0, -1)) {
        one.tickets.put(request.getValue(), (long) request.getScore());
      }
      all.put(resource.name(), one);
    }
    return all;
  }

  Snapshot copy() {
    Snapshot copy = new Snapshot();
    copy.held.putAll(held);
    copy.tickets.putAll(tickets);
    copy.deadlines.putAll(deadlines);
    return copy;
  }

  /** As it is after {@code event}. */
  void apply(ServerEvent event) {
    Held before = held.get(event.id());
    if (event.kind() == Kind.ENTERED) {
      tickets.put(event.id(), event.number());
    } else if (event.kind() == Kind.LEFT) {
      tickets.remove(event.id());
    } else if (event.kind() == Kind.GRANTED) {
      held.put(event.id(), new Held(event.permits(), event.number(), deadlines.getOrDefault(event.id(), 0L)));
    } else if (event.kind() == Kind.KEPT) {
      deadlines.put(event.id(), event.number());
      if (before != null) {
        held.put(event.id(), new Held(before.permits(), before.token(), event.number()));
      }
    } else if (event.kind() == Kind.DROPPED) {
      held.remove(event.id());
      deadlines.remove(event.id());
    }
  }

  int permits() {
    return held.values().stream().mapToInt(Held::permits).sum();
  }
}
