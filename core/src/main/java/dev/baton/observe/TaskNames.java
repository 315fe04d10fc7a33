// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Host;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.observe.WaitGraph.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the tasks of a graph are called: a thread by its name if it is the only one of that name, else as its host says. */
final class TaskNames {
  private final Map<Long, String> described = new LinkedHashMap<>();
  private final Map<Long, String> own = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final Set<String> ambiguous = new HashSet<>();

  /** A task that waits, or a future if null. */
  void add(long id, Host host, @Nullable Object task) {
    if (described.putIfAbsent(id, task == null ? "a future" : host.describe(task)) == null && task instanceof Thread thread) {
      String name = thread.getName();
      own.put(id, name);
      if (!taken.add(name)) {
        ambiguous.add(name);
      }
    }
  }

  /** A task that has something. */
  void add(Holding holding) {
    Object taker = holding.taker();
    if (taker != null && holding.reason().isEmpty()) {
      add(holding.task(), Taker.host(taker), Taker.task(taker));
    }
  }

  Node of(long id) {
    String name = own.getOrDefault(id, "");
    return new Node(id, name.isEmpty() || ambiguous.contains(name) ? described.getOrDefault(id, "thread #" + id) : name);
  }
}
