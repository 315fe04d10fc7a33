// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Frames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what, and who has it, at one instant.
 *
 * <p>Tasks wait for resources; resources are held by tasks. A <em>cycle</em> is a ring of tasks of which each waits for what the
 * next one has: none of them will go on unless one is interrupted or times out.
 *
 * @param waits every wait, in the order in which the waits began
 * @param holds who has what is waited for, as far as it is known
 */
public record WaitGraph(List<Wait> waits, List<Hold> holds) {

  /** A graph of these waits and holds. */
  public WaitGraph {
    waits = List.copyOf(waits);
    holds = List.copyOf(holds);
  }

  /**
   * A task.
   *
   * @param id tells it from all others in this graph
   * @param name for people
   */
  public record Node(long id, String name) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Something that is waited for.
   *
   * @param id tells it from all others in this graph
   * @param name for people: its kind and a number, "Mutex 2"
   * @param state what there is to say about it: "1 of 4 available"; empty if nothing is known
   * @param made where it was made, if that was written down
   */
  public record Resource(long id, String name, String state, @Nullable StackTraceElement made) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A task that waits.
   *
   * @param task who
   * @param resource for what
   * @param permits for how many; 0 where nothing is counted
   * @param waited for how long
   * @param stack from where, innermost first: from the operation of Baton's that the user's code called; empty if unknown
   */
  public record Wait(Node task, Resource resource, long permits, Duration waited, List<StackTraceElement> stack) {

    /** A wait. */
    public Wait {
      stack = List.copyOf(stack);
    }

    /** The line of the user's code that waits, if it is known. */
    public Optional<StackTraceElement> line() {
      return Optional.ofNullable(Frames.line(stack));
    }
  }

  /** What a task has to do with a resource that others wait for. */
  public enum Relation {
    /** It has taken permits or the lock, and others wait until it gives them back. */
    HOLDS,

    /** It is the task that is waited for: others wait until it ends. */
    ENDS
  }

  /**
   * A task that is in the way of those who wait.
   *
   * @param task who
   * @param resource what it has
   * @param relation how
   * @param permits how many; 0 where nothing is counted
   * @param stack where it took it, innermost first; empty if that was not written down
   */
  public record Hold(Node task, Resource resource, Relation relation, long permits, List<StackTraceElement> stack) {

    /** A hold. */
    public Hold {
      stack = List.copyOf(stack);
    }

    /** The line of the user's code that took it, if it is known. */
    public Optional<StackTraceElement> line() {
      return Optional.ofNullable(Frames.line(stack));
    }
  }

  /** Whether nobody waits. */
  public boolean isEmpty() {
    return waits.isEmpty();
  }

  /** Who has {@code resource}, as far as it is known. */
  public List<Hold> holdersOf(Resource resource) {
    return holds.stream().filter(hold -> hold.resource().id() == resource.id()).toList();
  }

  private Map<Long, List<Hold>> byResource() {
    Map<Long, List<Hold>> found = new LinkedHashMap<>();
    holds.forEach(hold -> found.computeIfAbsent(hold.resource().id(), id -> new ArrayList<>()).add(hold));
    return found;
  }

  /** The rings of tasks that wait for each other: each as its waits, each for something the task of the next one has. */
  public List<List<Wait>> cycles() {
    return new Cycles(this).find();
  }

  /** Finds cycles: a walk from each wait to those of the holders, never the same wait twice. */
  private static final class Cycles {
    private final Map<Long, Wait> byTask = new LinkedHashMap<>();
    private final Map<Long, List<Hold>> byResource;
    private final Map<Long, Boolean> walked = new LinkedHashMap<>();
    private final List<Wait> path = new ArrayList<>();
    private final List<List<Wait>> found = new ArrayList<>();

    Cycles(WaitGraph graph) {
      graph.waits.forEach(wait -> byTask.putIfAbsent(wait.task().id(), wait));
      byResource = graph.byResource();
    }

    List<List<Wait>> find() {
      byTask.values().forEach(this::walk);
      return List.copyOf(found);
    }

    private void walk(Wait wait) {
      int seen = path.indexOf(wait);
      if (seen >= 0) {
        found.add(List.copyOf(path.subList(seen, path.size())));
        return;
      }
      if (walked.putIfAbsent(wait.task().id(), true) != null) {
        return;
      }
      path.add(wait);
      for (Hold hold : byResource.getOrDefault(wait.resource().id(), List.of())) {
        Wait next = byTask.get(hold.task().id());
        if (next != null) {
          walk(next);
        }
      }
      path.removeLast();
    }
  }

  /** As text: the cycles first, then every wait with who has what is waited for. */
  @Override
  public String toString() {
    Map<Long, List<Hold>> byResource = byResource();
    StringBuilder text = new StringBuilder();
    for (Wait wait : waits) {
      text.append(wait.task()).append(" waits for ").append(wait.resource());
      wait.line().ifPresent(line -> text.append(" at ").append(line));
      text.append('\n');
      for (Hold hold : byResource.getOrDefault(wait.resource().id(), List.of())) {
        text.append("  held by ").append(hold.task());
        hold.line().ifPresent(line -> text.append(" since ").append(line));
        text.append('\n');
      }
    }
    return text.toString();
  }
}
