// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Frames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what, and who has it, at one instant.
 *
 * {@snippet :
 * WaitGraph graph = Baton.dump();
 * if (!graph.deadlocked().isEmpty()) {
 *   System.err.println(graph);
 * }
 * }
 *
 * <p>Tasks wait for resources; resources are held by tasks. A <em>cycle</em> is a ring of tasks of which each waits for what the
 * next one has. It is a <em>deadlock</em> if nobody else can make way: then none of them will go on unless one is interrupted or
 * times out.
 *
 * @param waits every wait, in the order in which the waits began
 * @param holds who has what is waited for, as far as it is known
 * @param note what else a reader should know, such as why so little is known; empty if nothing
 */
public record WaitGraph(List<Wait> waits, List<Hold> holds, String note) {

  /** A graph of these waits and holds. */
  public WaitGraph {
    waits = List.copyOf(waits);
    holds = List.copyOf(holds);
  }

  /**
   * A graph of these waits and holds, of which all is said.
   *
   * @param waits who waits for what
   * @param holds who has what
   */
  public WaitGraph(List<Wait> waits, List<Hold> holds) {
    this(waits, holds, "");
  }

  /**
   * A task.
   *
   * @param id tells it from all others in this graph; {@link #UNKNOWN} for a holder of which nothing is known
   * @param name for people; of an unknown holder, what there is to say about it
   */
  public record Node(long id, String name) {

    /** A task. What in its name cannot be seen is shown by a number: one line is one task, whatever it is called. */
    public Node {
      name = Words.visible(name);
    }

    /** The id of a holder that is not known. It stands for anybody, and so for somebody who may go on. */
    public static final long UNKNOWN = 0;

    /**
     * {@return a holder that is not known, with {@code reason} why: "held by acquire() without a Permit: holder
     * unknown"}
     *
     * @param reason what is said in the place of a name
     */
    public static Node unknown(String reason) {
      return new Node(UNKNOWN, reason);
    }

    /** {@return whether it is known who this is} */
    public boolean isKnown() {
      return id != UNKNOWN;
    }

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

    /** Something that is waited for. What cannot be seen of it is shown by a number. */
    public Resource {
      name = Words.visible(name);
      state = Words.visible(state);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A task that waits. One that waits in a select has a wait for each clause, of which any one lets it go on.
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

    /** {@return the line of the user's code that waits, if it is known} */
    public Optional<StackTraceElement> line() {
      return Optional.ofNullable(Frames.line(stack));
    }
  }

  /** What a task has to do with a resource that others wait for. */
  public enum Relation {
    /** It has taken permits or the lock, and others wait until it, or another holder, gives them back. */
    HOLDS,

    /** It is one of the tasks that are waited for: others wait until all of these have ended. */
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

    /** {@return the line of the user's code that took it, if it is known} */
    public Optional<StackTraceElement> line() {
      return Optional.ofNullable(Frames.line(stack));
    }
  }

  /** {@return whether nobody waits} */
  public boolean isEmpty() {
    return waits.isEmpty();
  }

  /**
   * {@return who has {@code resource}, as far as it is known}
   *
   * @param resource something that is waited for
   */
  public List<Hold> holdersOf(Resource resource) {
    return holds.stream().filter(hold -> hold.resource().id() == resource.id()).toList();
  }

  /**
   * {@return the rings of tasks that wait for each other: each as its waits, each for something the task of the next one
   * has, beginning with the wait that began first} A task that waits for what it has itself is a ring of one.
   *
   * <p>Every task that is in some ring is in one of those returned, and no ring is returned twice; where rings overlap there can
   * be more, which are left out. A ring need not be a deadlock: where several have a resource, one that is in no ring may give it
   * back. See {@link #deadlocked}.
   */
  public List<List<Wait>> cycles() {
    return Rings.of(this);
  }

  /**
   * {@return the tasks that cannot go on, in the order in which their waits began: what they wait for is known to be
   * held, and everybody who holds it is among these tasks; or they wait for tasks to end and one of those is among them}
   * Besides the members of rings these are the tasks that wait for them.
   *
   * <p>This is as true as the holds are complete. A holder that is not known, or that does not wait, counts as one that may go
   * on; so does whoever waits for something that nobody holds, like an event. A task that holds something is taken to be the one
   * that will give it back. A wait that is cut short by an interrupt or a time-out may resolve it all.
   */
  public List<Node> deadlocked() {
    return Stuck.of(this);
  }

  /**
   * For a terminal: deadlocks first, then every other wait with who has what is waited for; if those are many, once for all who wait for
   * it. Ends with a line break.
   *
   * @return several lines, with no colours
   */
  public String toText() {
    return new GraphText(this).render();
  }

  /**
   * For Graphviz: tasks are round, resources square, waits and holds are arrows, those of rings red.
   *
   * @return the text of a {@code .dot} file
   */
  public String toDot() {
    return new GraphDot(this).render();
  }

  /** {@return a picture, an SVG document that needs nothing else: tasks are round, resources square, rings red} */
  public String toSvg() {
    return new GraphSvg(this).render();
  }

  /** The same as {@link #toText}. */
  @Override
  public String toString() {
    return toText();
  }
}
