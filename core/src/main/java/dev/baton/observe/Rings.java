// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds rings in the graph whose vertices are the waits and the resources: from a wait to what it waits for, from there to the
 * waits of those who hold it. Resources are vertices of their own because many may wait for what many hold, and the pairs would be
 * too many.
 *
 * <p>First the strongly connected components (Tarjan's algorithm): a vertex is in a ring if it is not alone in its component.
 * Then, for each wait in a ring that is in none of those found, a shortest one through it. No recursion: chains may be long.
 */
final class Rings {
  private static final int NONE = -1;

  private final List<Wait> waits;
  private final int[][] next;

  private Rings(WaitGraph graph) {
    waits = graph.waits();
    Map<Long, List<Integer>> byTask = new HashMap<>();
    Map<Long, Integer> resources = new HashMap<>();
    for (int i = 0; i < waits.size(); i++) {
      Wait wait = waits.get(i);
      byTask.computeIfAbsent(wait.task().id(), id -> new ArrayList<>()).add(i);
      resources.putIfAbsent(wait.resource().id(), waits.size() + resources.size());
    }
    List<List<Integer>> edges = new ArrayList<>();
    for (Wait wait : waits) {
      edges.add(List.of(resources.getOrDefault(wait.resource().id(), NONE)));
    }
    resources.forEach((id, vertex) -> edges.add(new ArrayList<>()));
    for (Hold hold : graph.holds()) {
      Integer resource = resources.get(hold.resource().id());
      if (resource != null && hold.task().isKnown()) {
        edges.get(resource).addAll(byTask.getOrDefault(hold.task().id(), List.of()));
      }
    }
    next = edges.stream().map(to -> to.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
  }

  static List<List<Wait>> of(WaitGraph graph) {
    return new Rings(graph).find();
  }

  private List<List<Wait>> find() {
    int[] component = components();
    int[] sizes = new int[next.length];
    for (int c : component) {
      sizes[c]++;
    }
    boolean[] covered = new boolean[waits.size()];
    List<List<Wait>> found = new ArrayList<>();
    for (int i = 0; i < waits.size(); i++) {
      if (!covered[i] && sizes[component[i]] > 1) {
        List<Integer> ring = shortestThrough(i, component);
        ring.forEach(member -> covered[member] = true);
        // From the wait that began first.
        Collections.rotate(ring, -ring.indexOf(Collections.min(ring)));
        found.add(ring.stream().map(waits::get).toList());
      }
    }
    return List.copyOf(found);
  }

  /** The waits of a shortest ring through {@code start}, of which its component has one. */
  private List<Integer> shortestThrough(int start, int[] component) {
    int[] from = new int[next.length];
    Arrays.fill(from, NONE);
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (from[start] == NONE) {
      int vertex = queue.remove();
      for (int to : next[vertex]) {
        if (from[to] == NONE && component[to] == component[start]) {
          from[to] = vertex;
          queue.add(to);
        }
      }
    }
    List<Integer> ring = new ArrayList<>();
    int vertex = start;
    do {
      if (vertex < waits.size()) {
        ring.add(vertex);
      }
      vertex = from[vertex];
    } while (vertex != start);
    Collections.reverse(ring);
    return ring;
  }

  /** The number of the component of each vertex. */
  private int[] components() {
    int vertices = next.length;
    int[] component = new int[vertices];
    int[] order = new int[vertices];
    int[] low = new int[vertices];
    int[] edge = new int[vertices];
    Arrays.fill(component, NONE);
    Arrays.fill(order, NONE);
    ArrayDeque<Integer> path = new ArrayDeque<>();
    ArrayDeque<Integer> open = new ArrayDeque<>();
    int visited = 0;
    int found = 0;
    for (int root = 0; root < vertices; root++) {
      if (order[root] == NONE) {
        path.push(root);
      }
      while (!path.isEmpty()) {
        int vertex = path.element();
        if (order[vertex] == NONE) {
          order[vertex] = visited++;
          low[vertex] = order[vertex];
          open.push(vertex);
        }
        if (edge[vertex] < next[vertex].length) {
          int to = next[vertex][edge[vertex]++];
          if (order[to] == NONE) {
            path.push(to);
          } else if (component[to] == NONE) {
            low[vertex] = Math.min(low[vertex], order[to]);
          }
          continue;
        }
        path.pop();
        if (!path.isEmpty()) {
          low[path.element()] = Math.min(low[path.element()], low[vertex]);
        }
        if (low[vertex] == order[vertex]) {
          int member;
          do {
            member = open.pop();
            component[member] = found;
          } while (member != vertex);
          found++;
        }
      }
    }
    return component;
  }
}
