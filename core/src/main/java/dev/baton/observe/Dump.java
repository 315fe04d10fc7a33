// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Frames;
import dev.baton.host.Host;
import dev.baton.host.Probe;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Registry;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Waits;
import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a graph of what is written down, by looking twice.
 *
 * <p>What is written down changes while it is read, so one look may show a ring of which no two parts were there together. A wait
 * that is there in both looks has lasted from one to the other, its task asleep; so what that task had in both it had in between.
 * What both looks show was there, all of it, at the instant between them. The rest is left out; only that a resource has changed
 * hands is kept, because it means that somebody can go on.
 */
final class Dump {
  private static final Numbers NUMBERS = new Numbers();

  private final Look look;
  private final Look again;
  private final Map<Waits.Entry, List<StackTraceElement>> stacks;
  private final TaskNames names = new TaskNames();
  private final Map<Look.Key, Resource> resources = new HashMap<>();

  private Dump(Look look, Map<Waits.Entry, List<StackTraceElement>> stacks, Look again) {
    this.look = look;
    this.stacks = stacks;
    this.again = again;
  }

  static WaitGraph now() {
    Look look = new Look();
    // Between the looks: a wait that is in both was asleep when its stack was taken.
    Map<Waits.Entry, List<StackTraceElement>> stacks = new HashMap<>();
    look.waits().forEach(wait -> stacks.put(wait, stack(wait)));
    return new Dump(look, stacks, new Look()).graph();
  }

  private static List<StackTraceElement> stack(Waits.Entry wait) {
    Thread thread = wait.thread();
    return thread == null ? List.of() : Frames.fromOperation(List.of(thread.getStackTrace()));
  }

  private WaitGraph graph() {
    Set<Waits.Entry> still = Set.copyOf(again.waits());
    // Where the target has changed, a condition was signalled meanwhile.
    List<Waits.Entry> both =
        look.waits().stream().filter(wait -> still.contains(wait) && look.keysOf(wait).equals(again.keysOf(wait))).toList();
    both.forEach(wait -> names.add(wait.task(), wait.waiter().host(), wait.waiter().task()));
    List<Look.Key> keys = both.stream().flatMap(wait -> look.keysOf(wait).stream()).distinct().toList();
    keys.forEach(key -> look.holders(key).forEach(names::add));
    List<Wait> waits = both.stream().flatMap(wait -> look.keysOf(wait).stream().map(key -> wait(wait, key))).toList();
    List<Hold> holds = new ArrayList<>();
    keys.forEach(key -> holds.addAll(holds(key)));
    return new WaitGraph(waits, holds);
  }

  private Wait wait(Waits.Entry wait, Look.Key key) {
    Host host = wait.waiter().host();
    return new Wait(
        names.of(wait.task()),
        resource(key),
        look.permits(wait, key),
        Duration.ofNanos(Math.max(0, host.nanoTime() - wait.since())),
        stacks.getOrDefault(wait, List.of()));
  }

  private List<Hold> holds(Look.Key key) {
    Relation relation = key.endsWithTasks() ? Relation.ENDS : Relation.HOLDS;
    List<Holding> now = new ArrayList<>(again.holders(key));
    List<Hold> holds = new ArrayList<>();
    boolean changed = false;
    for (Holding holding : look.holders(key)) {
      if (now.remove(holding)) {
        Node node = holding.reason().isEmpty() ? names.of(holding.task()) : Node.unknown(holding.reason());
        holds.add(new Hold(node, resource(key), relation, holding.permits(), Taker.stack(holding.taker())));
      } else {
        changed = true;
      }
    }
    if (relation == Relation.HOLDS && (changed || !now.isEmpty())) {
      holds.add(new Hold(Node.unknown("changing hands while this was looked at"), resource(key), relation, 0, List.of()));
    }
    return holds;
  }

  private Resource resource(Look.Key key) {
    return resources.computeIfAbsent(
        key,
        k -> {
          // The number too: two may have one name.
          String name =
              k.kind() + " " + NUMBERS.of(k.primitive(), k.kind()) + Probe.shown(Registry.find(k.primitive()));
          // A task or scope has nothing to say that its name does not, and the user's own kind of stage is not asked.
          boolean silent = k.endsWithTasks() || Frames.isUsers(k.primitive().getClass().getName());
          String state = silent ? "" : String.valueOf(k.primitive());
          return new Resource(resources.size() + 1L, k.side().isEmpty() ? name : k.side() + " of " + name, state, null);
        });
  }
}
