// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds who can never go on, by taking away who can. All who do not wait can. A resource becomes free when one of its holders can
 * go on, or, where ends are waited for, when all of them can; then those who wait for it can go on too. Who is left is stuck.
 */
final class Stuck {
  private final Map<Long, Node> waiting = new LinkedHashMap<>();
  private final Map<Long, List<Node>> waitersOf = new HashMap<>();
  private final Map<Long, List<Hold>> heldBy = new HashMap<>();
  private final Map<Long, Integer> endsLeft = new HashMap<>();
  private final Set<Long> freeResources = new HashSet<>();
  private final ArrayDeque<Long> freed = new ArrayDeque<>();

  private Stuck(WaitGraph graph) {
    for (Wait wait : graph.waits()) {
      waiting.putIfAbsent(wait.task().id(), wait.task());
      waitersOf.computeIfAbsent(wait.resource().id(), id -> new ArrayList<>()).add(wait.task());
    }
    Set<Long> held = new HashSet<>();
    for (Hold hold : graph.holds()) {
      held.add(hold.resource().id());
      heldBy.computeIfAbsent(hold.task().id(), id -> new ArrayList<>()).add(hold);
      if (hold.relation() == Relation.ENDS) {
        endsLeft.merge(hold.resource().id(), 1, Integer::sum);
      }
    }
    heldBy.keySet().stream().filter(task -> !waiting.containsKey(task)).forEach(freed::add);
    for (Wait wait : graph.waits()) {
      if (!held.contains(wait.resource().id())) {
        free(wait.resource().id());
      }
    }
  }

  static List<Node> of(WaitGraph graph) {
    return new Stuck(graph).find();
  }

  private List<Node> find() {
    for (Long task = freed.poll(); task != null; task = freed.poll()) {
      for (Hold hold : heldBy.getOrDefault(task, List.of())) {
        long resource = hold.resource().id();
        if (hold.relation() == Relation.HOLDS || endsLeft.merge(resource, -1, Integer::sum) == 0) {
          free(resource);
        }
      }
    }
    return List.copyOf(waiting.values());
  }

  private void free(long resource) {
    if (freeResources.add(resource)) {
      for (Node waiter : waitersOf.getOrDefault(resource, List.of())) {
        if (waiting.remove(waiter.id()) != null) {
          freed.add(waiter.id());
        }
      }
    }
  }
}
