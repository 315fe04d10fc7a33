// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Probe;
import dev.baton.host.Waiter;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.jfr.Flight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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
  /** An {@link Entry} for each task, a {@link Weak} one for each future. */
  private static final Set<Object> ALL = ConcurrentHashMap.newKeySet();

  /** Those of futures that nobody can complete any more. */
  private static final ReferenceQueue<Entry> GONE = new ReferenceQueue<>();

  private static final AtomicLong BEGUN = new AtomicLong();

  /** The outcome of a wait that ended in another way than all others: by an error, or because nobody wants its result. */
  public static final int GIVEN_UP = Integer.MIN_VALUE;

  private Waits() {}

  /** One wait. */
  public static final class Entry {
    private static final VarHandle OVER = Fields.find(MethodHandles.lookup(), "over", boolean.class);

    private final Waiter waiter;
    private final Object blocker;
    private final long number;
    private final long task;
    private final long since;
    private final @Nullable Thread thread;

    /** What stands for it among those who wait; null if it is only timed. */
    private final @Nullable Object listed;

    /** The named things that it is for, of which each wants to know how long it takes; null if nobody does. */
    private final @Nullable Wanted timed;

    /** What a flight recording has of it; null if none wants it. */
    private final @Nullable Object flight;

    @SuppressWarnings("UnusedVariable") // through its handle
    private volatile boolean over;

    private Entry(Waiter waiter, Object blocker, boolean listed, @Nullable Wanted timed, @Nullable Object flight) {
      this.waiter = waiter;
      this.blocker = blocker;
      this.timed = timed;
      this.flight = flight;
      since = listed || timed != null ? waiter.host().nanoTime() : 0;
      boolean future = waiter.task() == null;
      this.listed = !listed ? null : future ? new Weak(this) : this;
      if (listed) {
        number = BEGUN.incrementAndGet();
        task = future ? -number : waiter.host().currentTaskId();
        thread = future ? null : Thread.currentThread();
      } else {
        // Nobody looks at it, and to count costs what others who wait feel.
        number = 0;
        task = 0;
        thread = null;
      }
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

  /**
   * The wait of a future, which is kept by whoever could end it: by what it waits for, or by somebody who has the future. If nobody has
   * either, it would be written down for ever.
   */
  private static final class Weak extends WeakReference<Entry> {
    Weak(Entry entry) {
      super(entry, GONE);
    }
  }

  /**
   * {@code waiter} is about to wait: called by the task that does, or for a future by whoever asked for it; asked only while {@link
   * Watch#seesWaits}. Null: nobody wants to know of this wait.
   */
  public static @Nullable Entry begin(Waiter waiter, Object blocker) {
    boolean listed = Watch.isOn();
    Wanted timed = Watch.isTimed() ? Wanted.named(blocker) : null;
    Object flight = Flight.waits();
    if (!listed && timed == null && flight == null) {
      return null;
    }
    Entry entry = new Entry(waiter, blocker, listed, timed, flight);
    if (entry.listed != null) {
      expunge();
      ALL.add(entry.listed);
    }
    return entry;
  }

  /**
   * The wait is over, with what {@link Waiter#await} returns, or {@link #GIVEN_UP}. Called by whoever began it, with no lock held. Never
   * throws: something may have been granted.
   */
  public static void end(Entry entry, int outcome) {
    // Compare-and-set: a future may be told of its end by several at once.
    if (!Entry.OVER.compareAndSet(entry, false, true)) {
      return;
    }
    if (entry.listed != null) {
      ALL.remove(entry.listed);
    }
    if (entry.timed != null || entry.flight != null) {
      report(entry, outcome);
    }
  }

  private static void report(Entry entry, int outcome) {
    try {
      Wanted timed = entry.timed;
      if (timed != null) {
        timed.waited(entry.waiter, entry.waiter.host().nanoTime() - entry.since, outcome == Waiter.GRANTED);
      }
      Object flight = entry.flight;
      if (flight != null) {
        Object ended = Wanted.endOf(entry.waiter, entry.blocker);
        Probe named = Registry.find(ended);
        Flight.waited(flight, ended, named == null ? "" : named.name(), Wanted.permits(entry.waiter), words(outcome));
      }
    } catch (Throwable failure) {
      // Not worth a permit.
    }
  }

  private static String words(int outcome) {
    return switch (outcome) {
      case Waiter.GRANTED -> "granted";
      case Waiter.CLOSED -> "closed";
      case Waiter.REFUSED, Waiter.OVERFULL -> "refused";
      case Waiter.INTERRUPTED -> "interrupted";
      case Waiter.TIMED_OUT -> "timed out";
      default -> "given up";
    };
  }

  /** Those who wait now, in the order in which they began. Who comes or goes meanwhile may be in it or not. */
  public static List<Entry> now() {
    expunge();
    return ALL.stream()
        .map(listed -> listed instanceof Weak future ? future.get() : (Entry) listed)
        .filter(entry -> entry != null && entry.isWaiting())
        .sorted(Comparator.comparingLong(entry -> entry.number))
        .toList();
  }

  /** How many are written down, also such as are over and have not said so yet. */
  public static int size() {
    expunge();
    return ALL.size();
  }

  private static void expunge() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      ALL.remove(gone);
    }
  }
}
