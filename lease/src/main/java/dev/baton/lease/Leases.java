// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.lease.memory.MemoryStore;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.lease.spi.RecentLosses;
import dev.baton.lease.spi.Terms;
import dev.baton.sync.ClosedException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Semaphores by name, and the leases that are held of them: in this process, or in a store that several processes share.
 *
 * {@snippet :
 * LeaseSemaphore api = Leases.shared().semaphore("partner-api", 5).ttl(Duration.ofSeconds(30));
 * try (Lease lease = api.acquire()) {
 *   System.out.println("one of five, number " + lease.slotNumber());
 * }
 * Leases.shared().stats().values().forEach(System.out::println); // partner-api: 0/5 (0.0%)
 * }
 *
 * <p>Names are told apart by every character; they need not be declared, and are forgotten when nobody has used them for a while.
 */
public final class Leases implements AutoCloseable {
  static final Duration SHORTEST_WINDOW = Duration.ofSeconds(2);
  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final Comparator<LeaseStats> BY_USE =
      Comparator.comparingInt(LeaseStats::acquired)
          .thenComparingDouble(LeaseStats::percent)
          .thenComparingInt(LeaseStats::waiting)
          .reversed()
          .thenComparing(LeaseStats::name);

  /** Made when it is first asked for. */
  private static final class Shared {
    static final Leases INSTANCE = new Leases(new MemoryStore(), false);
  }

  private final LeaseStore store;
  private final boolean closable;
  private final RecentLosses losses = new RecentLosses();

  /** The names that are observed, while somebody has a handle that does. Guarded by this. */
  private final Map<String, Observation> observed = new HashMap<>();

  /** Those that nobody observes any more: to look for them among all would cost the more the more there are. */
  private final ReferenceQueue<ObservedName> unobserved = new ReferenceQueue<>();

  private final AtomicLong count = new AtomicLong();
  private final String prefix;

  private Leases(LeaseStore store, boolean closable) {
    this.store = store;
    this.closable = closable;
    this.prefix = randomPrefix();
  }

  private static String randomPrefix() {
    Host host = Hosts.current();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append(String.format("%08x", host.nextInt(Integer.MAX_VALUE) * 2 + host.nextInt(2)));
    }
    return text.append('-').toString();
  }

  /** {@return the leases that all of this process share, in memory} Always the same; closing it does nothing. */
  public static Leases shared() {
    return Shared.INSTANCE;
  }

  /** {@return new leases in memory, shared with nobody who is not given them} */
  public static Leases inMemory() {
    return new Leases(new MemoryStore(), true);
  }

  /**
   * {@return leases in {@code store}} For those who make stores. Closing them closes the store.
   *
   * @param store where leases are kept; used by nobody else
   */
  public static Leases on(LeaseStore store) {
    return new Leases(Objects.requireNonNull(store, "store"), true);
  }

  /**
   * {@return a handle of the semaphore of this name} Nothing is known of the name before it is used: then it gets this
   * limit if nobody uses it already.
   *
   * @param name 1 to 1,000 characters
   * @param limit how many permits there are; at least 1
   * @throws IllegalArgumentException if the name is empty, longer than 1,000 characters or not text; or if {@code limit} is less than 1 or more
   *     than {@link LeaseSemaphore#MAX_LIMIT}
   */
  public LeaseSemaphore semaphore(String name, int limit) {
    LeaseSemaphore.requireName(name);
    LeaseSemaphore.requireLimit(limit);
    Terms terms =
        new Terms(
            name,
            limit,
            OnMismatch.ERROR,
            Terms.NEVER,
            Terms.NEVER,
            Terms.nanos(WINDOW),
            Terms.nanos(IDLE),
            OnExpiry.NOTIFY,
            "");
    return new LeaseSemaphore(this, store, terms, null);
  }

  // ---- looking ----

  /** {@return how all names are doing that are known, those with most permits held first} */
  public Map<String, LeaseStats> stats() {
    SwitchPoints.reach(this);
    return collect(store.names().stream(), Long.MAX_VALUE);
  }

  /**
   * {@return how {@code names} are doing, those with most permits held first} Names that nobody uses are left out.
   *
   * @param names which names to look at
   */
  public Map<String, LeaseStats> stats(Collection<String> names) {
    List<String> asked = List.copyOf(names);
    SwitchPoints.reach(this);
    return collect(asked.stream().distinct(), Long.MAX_VALUE);
  }

  /**
   * {@return how the {@code top} names are doing that have most permits held}
   *
   * @param top how many names at most; 0 or more
   * @throws IllegalArgumentException if {@code top} is negative
   */
  public Map<String, LeaseStats> stats(int top) {
    if (top < 0) {
      throw new IllegalArgumentException("One can ask for so many names, or for none, not for " + top + ".");
    }
    SwitchPoints.reach(this);
    return collect(store.names().stream(), top);
  }

  private Map<String, LeaseStats> collect(Stream<String> names, long most) {
    return names
        .map(store::stats)
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .sorted(BY_USE)
        .limit(most)
        .collect(Collectors.toMap(LeaseStats::name, stats -> stats, (one, other) -> one, LinkedHashMap::new));
  }

  /** {@return the names that are known} */
  public List<String> names() {
    SwitchPoints.reach(this);
    return store.names().stream().sorted().toList();
  }

  // ---- the end ----

  /**
   * Refuses those who wait and those who come with {@link ClosedException}, and releases what is held here: its holders find it not valid any
   * more. Those of {@link #shared()} cannot be closed: this does nothing then. Closing again does nothing. Never throws.
   */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    if (closable) {
      store.close();
    }
  }

  /** {@return whether {@link #close} has been called} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return store.isClosed();
  }

  @Override
  public String toString() {
    return "Leases[" + store.kind() + (store.isClosed() ? ", closed" : "") + "]";
  }

  // ---- inside ----

  /** One for all handles of a name, so that nothing is counted twice. */
  synchronized ObservedName observe(String name, int limit) {
    for (Reference<?> gone = unobserved.poll(); gone != null; gone = unobserved.poll()) {
      // Unless there is another of that name by now.
      observed.remove(((Observation) gone).name, gone);
    }
    Observation reference = observed.get(name);
    ObservedName known = reference == null ? null : reference.get();
    if (known == null) {
      known = new ObservedName(store, name, limit);
      observed.put(name, new Observation(name, known, unobserved));
    }
    return known;
  }

  /** A name that is observed as long as somebody has a handle that does. */
  private static final class Observation extends WeakReference<ObservedName> {
    final String name;

    Observation(String name, ObservedName thing, ReferenceQueue<ObservedName> queue) {
      super(thing, queue);
      this.name = name;
    }
  }

  HeldLease newLease(Terms terms, int permits, Host host, @Nullable Object task, @Nullable Probe probe) {
    String id = prefix.concat(Long.toString(count.incrementAndGet(), Character.MAX_RADIX));
    return new HeldLease(store, losses, terms, id, permits, host, task, probe);
  }

  boolean wasLost(String name, String id) {
    return losses.contains(name, id);
  }
}
