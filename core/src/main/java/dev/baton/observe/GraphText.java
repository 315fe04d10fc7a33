// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A graph for a terminal. */
final class GraphText {
  /** More holders than this are listed once: a thousand who wait for what a thousand have would fill a million lines. */
  private static final int FEW = 8;

  private final WaitGraph graph;
  private final Map<Long, List<Hold>> holders = new HashMap<>();
  private final Map<Long, List<Wait>> waits = new HashMap<>();

  /** The resources whose holders have been listed. */
  private final Set<Long> told = new HashSet<>();

  private final StringBuilder text = new StringBuilder();

  GraphText(WaitGraph graph) {
    this.graph = graph;
    graph.waits().forEach(wait -> waits.computeIfAbsent(wait.task().id(), id -> new ArrayList<>()).add(wait));
    graph.holds().forEach(hold -> holders.computeIfAbsent(hold.resource().id(), id -> new ArrayList<>()).add(hold));
  }

  String render() {
    if (graph.isEmpty()) {
      text.append("Nobody waits.\n");
    }
    Set<Wait> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Long> stuck = new HashSet<>();
    graph.deadlocked().forEach(task -> stuck.add(task.id()));
    for (List<Wait> ring : graph.cycles()) {
      boolean deadlock = ring.stream().allMatch(wait -> stuck.contains(wait.task().id()));
      text.append(heading(ring.size(), deadlock)).append('\n');
      for (int i = 0; i < ring.size(); i++) {
        wait(alternatives(ring.get(i)), ring.get((i + 1) % ring.size()).task());
      }
      ring.forEach(wait -> shown.addAll(alternatives(wait)));
    }
    List<List<Wait>> others = new ArrayList<>();
    for (Wait wait : graph.waits()) {
      if (!shown.contains(wait)) {
        List<Wait> all = alternatives(wait);
        others.add(all);
        shown.addAll(all);
      }
    }
    if (!others.isEmpty()) {
      String more = others.size() == waits.size() ? "" : " more";
      String verb = others.size() == 1 ? " waits:" : " wait:";
      text.append(others.size()).append(more).append(others.size() == 1 ? " task" : " tasks").append(verb).append('\n');
      others.forEach(all -> wait(all, all.getFirst().task()));
    }
    states();
    if (!graph.note().isEmpty()) {
      text.append(graph.note()).append('\n');
    }
    return text.toString();
  }

  private static String heading(int tasks, boolean deadlock) {
    String who = tasks == 1 ? "1 task waits for itself" : tasks + " tasks wait for each other";
    return deadlock ? "Deadlock: " + who : "Cycle: " + who + ", unless another holder makes way";
  }

  /** The waits of which any one lets the task of {@code wait} go on, {@code wait} first; mostly that alone. */
  private List<Wait> alternatives(Wait wait) {
    List<Wait> all = waits.getOrDefault(wait.task().id(), List.of());
    if (all.size() < 2) {
      return List.of(wait);
    }
    List<Wait> sorted = new ArrayList<>(all);
    sorted.removeIf(other -> other == wait);
    sorted.addFirst(wait);
    return sorted;
  }

  /** What a task waits for, all at once, and who is in its way, {@code first} before the others. */
  private void wait(List<Wait> alternatives, Node first) {
    Wait wait = alternatives.getFirst();
    text.append("  ").append(wait.task()).append(" waits for ");
    text.append(alternatives.stream().map(Words::wanted).collect(Collectors.joining(" or ")));
    wait.line().ifPresent(line -> text.append(" at ").append(Words.line(line)));
    if (wait.waited().isPositive()) {
      text.append(", for ").append(Words.time(wait.waited()));
    }
    text.append('\n');
    boolean several = alternatives.size() > 1;
    alternatives.stream()
        .flatMap(one -> holdersOf(one).stream())
        .filter(hold -> hold.task().id() == first.id())
        .forEach(hold -> hold(hold, several));
    for (Wait one : alternatives) {
      List<Hold> inTheWay = holdersOf(one);
      if (told.add(one.resource().id()) || inTheWay.size() <= FEW) {
        inTheWay.stream().filter(hold -> hold.task().id() != first.id()).forEach(hold -> hold(hold, several));
      } else {
        text.append("    ").append(several ? one.resource() + ", " : "").append("the same ").append(inTheWay.size()).append(" as above\n");
      }
    }
  }

  private List<Hold> holdersOf(Wait wait) {
    return holders.getOrDefault(wait.resource().id(), List.of());
  }

  private void hold(Hold hold, boolean named) {
    text.append("    ").append(named ? hold.resource() + ", " : "");
    if (!hold.task().isKnown()) {
      text.append(hold.permits() > 0 ? Words.count(hold.permits(), "permit") + " " : "").append(hold.task());
    } else if (hold.relation() == Relation.ENDS) {
      text.append("until ").append(hold.task()).append(" ends");
    } else {
      boolean counted = hold.permits() > 0;
      text.append(counted ? "of which " : "which ").append(hold.task()).append(hold.line().isPresent() ? " took" : " has");
      text.append(counted ? " " + Words.count(hold.permits(), "permit") : "");
    }
    hold.line().ifPresent(line -> text.append(" at ").append(Words.line(line)));
    text.append('\n');
  }

  private void states() {
    Map<Long, Resource> resources = new LinkedHashMap<>();
    graph.waits().forEach(wait -> resources.putIfAbsent(wait.resource().id(), wait.resource()));
    for (Resource resource : resources.values()) {
      if (!resource.state().isEmpty() || resource.made() != null) {
        text.append(resource).append(": ").append(resource.state());
        StackTraceElement made = resource.made();
        if (made != null) {
          text.append(resource.state().isEmpty() ? "" : ", ").append("made at ").append(Words.line(made));
        }
        text.append('\n');
      }
    }
  }
}
