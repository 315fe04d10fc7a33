// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Waiter;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, while that is written down.
 *
 * <p>What is kept is the wait and not the queue in which it stands: the wait knows its task, its host and since when, it is written
 * down and crossed out by the very task that waits, with no lock held, and once it is over nothing is left of it. A list of queues
 * would have to be kept under their locks, and could not tell a task that waits for a condition, which stands in none.
 */
public final class Waits {
  private static final Set<Entry> ALL = ConcurrentHashMap.newKeySet();
  private static final AtomicLong BEGUN = new AtomicLong();

  private Waits() {}

  /** One wait. */
  public static final class Entry {
    private final Waiter waiter;
    private final Object blocker;
    private final long number;
    private final long task;
    private final long since;
    private final @Nullable Thread thread;

    private Entry(Waiter waiter, Object blocker) {
      this.waiter = waiter;
      this.blocker = blocker;
      boolean future = waiter.task() == null;
      number = BEGUN.incrementAndGet();
      task = future ? -number : waiter.host().currentTaskId();
      since = waiter.host().nanoTime();
      thread = future ? null : Thread.currentThread();
    }

    /** The wait itself. */
    public Waiter waiter() {
      return waiter;
    }

    /** What the waiter says it waits for. */
    public Object blocker() {
      return blocker;
    }

    /** The number of the task that waits; that of no task, and negative, if it is a future. */
    public long task() {
      return task;
    }

    /** When it began, by the clock of the waiter's host. */
    public long since() {
      return since;
    }

    /** The thread on which the task waits, or null if it is a future. */
    public @Nullable Thread thread() {
      return thread;
    }

    /** Whether nothing has been decided yet. Once false, always false. */
    public boolean isWaiting() {
      return waiter.outcome() == Waiter.WAITING;
    }
  }

  /** {@code waiter} is about to wait: called by the task that does, or for a future by whoever asked for it. */
  public static Entry begin(Waiter waiter, Object blocker) {
    Entry entry = new Entry(waiter, blocker);
    ALL.add(entry);
    return entry;
  }

  /** The wait is over. */
  public static void end(Entry entry) {
    ALL.remove(entry);
  }

  /** Those who wait now, in the order in which they began. Who comes or goes meanwhile may be in it or not. */
  public static List<Entry> now() {
    return ALL.stream().filter(Entry::isWaiting).sorted(Comparator.comparingLong(entry -> entry.number)).toList();
  }

  /** How many are written down, also such as are over and have not said so yet. */
  public static int size() {
    return ALL.size();
  }
}
