// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.internal.jfr.Flight;
import dev.baton.internal.observe.Registry;
import dev.baton.internal.observe.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What Baton knows about the running program.
 *
 * {@snippet :
 * Baton.track(Tracking.ON); // before the work starts
 * System.out.println(Baton.dump()); // whenever it seems to hang
 * }
 */
public final class Baton {

  private Baton() {}

  /** {@return how much is being written down} */
  public static Tracking tracking() {
    return Watch.level();
  }

  /**
   * Writes down so much from now on, in the whole JVM. What was taken or forked before is not known; turn it on before the
   * program starts its work.
   *
   * @param level how much; {@link Tracking#OFF} forgets nothing that is held, and notes nothing more
   */
  public static void track(Tracking level) {
    Watch.set(Objects.requireNonNull(level, "level"));
  }

  /**
   * Who waits for what in this JVM, and who has it, as far as that was written down: for semaphores, locks, conditions, signals,
   * promises, tasks and scopes of Baton's, on virtual and platform threads alike. Empty while tracking is off; then the {@linkplain
   * WaitGraph#note note} says which of the {@linkplain #named named} things are waited for.
   *
   * <p><b>What it shows</b> was so for as long as the look took: a wait or a hold that came or went meanwhile is left out. So a ring
   * of tasks in it was there, all of it at one instant. A wait that began before tracking was turned on is missing, and what was
   * taken before has no holder, except that a {@code Mutex} or write lock always knows the number of its thread.
   *
   * <p><b>What it does not know.</b> Permits taken by {@code acquire()} belong to nobody: hold a {@code Permit} where it should be
   * known who has them. What was taken by a future belongs to no task. A permit, guard or read lock that was handed to another
   * task to be given back counts as held by the one who took it. Other waits than those for Baton's primitives do not appear: a
   * thread that waits for a monitor or a socket looks as if it went on.
   *
   * <p><b>Safe at any time.</b> It stops nobody: a primitive is held up no longer than by one of its own operations, and nothing of
   * the user's runs, except for the name of a thread. Its cost grows with the number of those who wait, most of it for their
   * stacks.
   *
   * @return a graph that nothing changes any more
   */
  public static WaitGraph dump() {
    return tracking().isOn()
        ? reported(Dump.now())
        : new WaitGraph(
            List.of(),
            List.of(),
            "Tracking is off, so it is not known who waits. Turn it on by Baton.track(Tracking.ON), best before the program starts"
                + " its work; waits that have begun by then stay unknown."
                + waitedFor());
  }

  /** What can be said without tracking: which of the things that have a name are waited for. Stores elsewhere are not asked. */
  private static String waitedFor() {
    StringBuilder words = new StringBuilder();
    for (Named thing : named()) {
      Usage usage = thing.kind().equals("lease") ? null : thing.usage().orElse(null);
      if (usage != null && usage.waiting() > 0) {
        words.append(words.isEmpty() ? "\nOf what has a name: " : ", ");
        words.append(Words.count(usage.waiting(), "wait")).append(" for ").append(thing);
      }
    }
    return words.isEmpty() ? "" : words.append('.').toString();
  }

  private static WaitGraph reported(WaitGraph graph) {
    int stuck = graph.isEmpty() ? 0 : graph.deadlocked().size();
    if (stuck > 0 && Flight.recordsDeadlocks()) {
      Flight.deadlocked(stuck, graph.toText());
    }
    return graph;
  }

  /**
   * {@return the live things that were given a name, by kind and name} They are held weakly: one that nobody else has
   * any more is not listed, and nothing is known of things without a name. Two may have the same name.
   */
  public static List<Named> named() {
    return Registry.all();
  }

  /**
   * Tells {@code observer}, until the result is closed, of all named things: of those that are there now and those to come, how long they are
   * waited for and held. While nobody observes, nothing is measured.
   *
   * @param observer told from now on, on the threads where things happen: it must be quick
   * @return ends it when it is closed; closing again does nothing
   */
  public static Observer.Registration observe(Observer observer) {
    // Each registration by itself, also of the same observer.
    Observer own = new Forwarding(Objects.requireNonNull(observer, "observer"));
    Registry.add(own);
    return () -> Registry.remove(own);
  }

  private record Forwarding(Observer observer) implements Observer {
    @Override
    public void appeared(Named thing) {
      observer.appeared(thing);
    }

    @Override
    public void vanished(Named thing) {
      observer.vanished(thing);
    }

    @Override
    public void waited(Named thing, Duration time, boolean granted) {
      observer.waited(thing, time, granted);
    }

    @Override
    public void held(Named thing, Duration time) {
      observer.held(thing, time);
    }
  }
}
