// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Alternatives;
import dev.baton.host.Awaited;
import dev.baton.host.Held;
import dev.baton.host.Kinds;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Inspectors;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Target;
import dev.baton.internal.observe.Waits;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One look at everything that is written down: first at all who wait, then at what they wait for. */
final class Look {
  /** What is waited for: a primitive, or a side of one. Equal for the same primitive only, whatever that thinks of itself. */
  record Key(Object primitive, String side) {

    /** The kind of primitive, as users know it. */
    String kind() {
      return Kinds.of(primitive);
    }

    /** Whether tasks are waited for, and not something that they have. */
    boolean endsWithTasks() {
      return primitive instanceof Awaited;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.primitive == primitive && key.side.equals(side);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(primitive) + side.hashCode();
    }
  }

  private final List<Waits.Entry> waits = Waits.now();
  private final Map<Waits.Entry, Map<Key, Target>> targets = new HashMap<>();
  private final Map<Key, List<Holding>> holders = new HashMap<>();

  Look() {
    // Tasks that others wait for are known by what their host calls them, and by number only if they wait themselves.
    IdentityHashMap<Object, Long> numbers = new IdentityHashMap<>();
    for (Waits.Entry wait : waits) {
      targets.put(wait, targets(wait));
      Object task = wait.waiter().task();
      if (task != null) {
        numbers.put(task, wait.task());
      }
    }
    for (Map<Key, Target> ofOne : targets.values()) {
      ofOne.forEach((key, target) -> holders.computeIfAbsent(key, unknown -> find(target, numbers)));
    }
  }

  /** What {@code wait} waits for: one thing, or any one of several; each once, in the order in which they were named. */
  private static Map<Key, Target> targets(Waits.Entry wait) {
    Map<Key, Target> targets = new LinkedHashMap<>();
    List<Alternatives.Part> parts = Alternatives.of(wait.blocker());
    if (parts == null || parts.isEmpty()) {
      add(targets, Inspectors.target(wait));
    } else {
      parts.forEach(part -> add(targets, new Target(part.primitive(), "", part.permits())));
    }
    return targets;
  }

  private static void add(Map<Key, Target> targets, Target target) {
    targets.putIfAbsent(new Key(target.primitive(), target.side()), target);
  }

  private static List<Holding> find(Target target, IdentityHashMap<Object, Long> numbers) {
    if (target.primitive() instanceof Awaited awaited) {
      return awaited.awaitedTasks().stream().map(task -> awaited(task, numbers)).toList();
    }
    if (target.primitive() instanceof Held held) {
      return held.heldBy().stream().map(holder -> holding(holder, numbers)).toList();
    }
    return Inspectors.holders(target);
  }

  private static Holding holding(Held.Holder holder, IdentityHashMap<Object, Long> numbers) {
    Object task = holder.task();
    if (task == null) {
      return Holding.unknown(holder.permits(), "held by a future");
    }
    long number = task instanceof Thread thread ? thread.threadId() : numbers.getOrDefault(task, Taker.NOBODY);
    return number == Taker.NOBODY
        ? Holding.unknown(holder.permits(), "held by " + holder.host().describe(task))
        : Holding.by(number, task instanceof Thread ? task : null, holder.permits());
  }

  private static Holding awaited(Object task, IdentityHashMap<Object, Long> numbers) {
    long number = task instanceof Thread thread ? thread.threadId() : numbers.getOrDefault(task, Taker.NOBODY);
    return number == Taker.NOBODY
        ? Holding.unknown(0, "until " + task + " ends")
        : Holding.by(number, task instanceof Thread ? task : null, 0);
  }

  List<Waits.Entry> waits() {
    return waits;
  }

  /** What is waited for; several things if any one of them will do. */
  Set<Key> keysOf(Waits.Entry wait) {
    return targets.getOrDefault(wait, Map.of()).keySet();
  }

  /** How many of {@code key} are asked for; 0 where nothing is counted. */
  long permits(Waits.Entry wait, Key key) {
    Target target = targets.getOrDefault(wait, Map.of()).get(key);
    return target == null ? 0 : target.permits();
  }

  List<Holding> holders(Key key) {
    return holders.getOrDefault(key, List.of());
  }
}
