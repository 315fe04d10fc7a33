// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.host.Awaited;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Inspectors;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Target;
import dev.baton.internal.observe.Waits;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One look at everything that is written down: first at all who wait, then at what they wait for. */
final class Look {
  /** What the classes inside are called outside. */
  private static final Map<String, String> KINDS =
      Map.of("Outcome", "Promise", "Fork", "Task", "Nursery", "Scope", "ExclusiveCondition", "Condition", "HostedFuture", "Future");

  /** What is waited for: a primitive, or a side of one. Equal for the same primitive only, whatever that thinks of itself. */
  record Key(Object primitive, String side) {

    /** The kind of primitive, as users know it. */
    String kind() {
      String inside = primitive.getClass().getSimpleName();
      return KINDS.getOrDefault(inside, inside);
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
  private final Map<Waits.Entry, Target> targets = new HashMap<>();
  private final Map<Key, List<Holding>> holders = new HashMap<>();

  Look() {
    // Tasks that others wait for are known by what their host calls them, and by number only if they wait themselves.
    IdentityHashMap<Object, Long> numbers = new IdentityHashMap<>();
    for (Waits.Entry wait : waits) {
      targets.put(wait, Inspectors.target(wait));
      Object task = wait.waiter().task();
      if (task != null) {
        numbers.put(task, wait.task());
      }
    }
    for (Waits.Entry wait : waits) {
      holders.computeIfAbsent(keyOf(wait), key -> find(target(wait), numbers));
    }
  }

  private static List<Holding> find(Target target, IdentityHashMap<Object, Long> numbers) {
    if (target.primitive() instanceof Awaited awaited) {
      return awaited.awaitedTasks().stream().map(task -> awaited(task, numbers)).toList();
    }
    return Inspectors.holders(target);
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

  Key keyOf(Waits.Entry wait) {
    Target target = target(wait);
    return new Key(target.primitive(), target.side());
  }

  /** How many are asked for; 0 where nothing is counted. */
  long permits(Waits.Entry wait) {
    return target(wait).permits();
  }

  List<Holding> holders(Key key) {
    return holders.getOrDefault(key, List.of());
  }

  private Target target(Waits.Entry wait) {
    return targets.getOrDefault(wait, Target.of(wait.blocker()));
  }
}
