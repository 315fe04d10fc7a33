// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;
import static dev.baton.lease.spi.Terms.NEVER;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseLog;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.lease.spi.Terms;
import dev.baton.observe.Baton;
import dev.baton.sync.Body;
import dev.baton.sync.ClosedException;
import dev.baton.sync.VoidBody;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore that is known by its name: all who use the same name of the same {@link Leases} share its permits. What is acquired is a {@link
 * Lease}, which ends by itself if it has a time to live.
 *
 * {@snippet :
 * LeaseSemaphore exports = Leases.shared()
 *     .semaphore("exports", 3)
 *     .ttl(Duration.ofMinutes(10))
 *     .maxWait(Duration.ofSeconds(30))
 *     .onExpiry(OnExpiry.INTERRUPT_HOLDER);
 * try (Lease lease = exports.acquire()) {
 *   System.out.println("exporting in slot " + lease.slotNumber());
 * }
 * }
 *
 * <p>This object is a handle: immutable, cheap, and never stale. Methods that set something return a new handle; nothing is known of the name
 * before somebody uses it.
 *
 * <p><b>Order.</b> Strictly first in, first out, for blocking, timed and asynchronous requests alike; nobody overtakes one who waits, not even
 * by {@link #tryAcquire()}. Several permits are granted together or not at all, and those who ask for fewer cannot overtake.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt, time-out or cancellation of its future holds nothing, loses nothing, and lets the next
 * be considered in the same step. If a grant and an interrupt meet, the interrupt wins and the permits go on; if a grant and a time-out
 * meet, the grant wins.
 *
 * <p><b>Memory effects.</b> In memory, what was done before a release is seen by whoever acquires the permits after.
 */
public final class LeaseSemaphore {
  /** The highest limit a name can have. */
  public static final int MAX_LIMIT = 1 << 20;

  private static final int MAX_NAME = 1_000;
  private static final int MAX_LABEL = 200;

  private final Leases leases;
  private final LeaseStore store;
  private final Terms terms;

  /** Null unless the name is observed through this handle. */
  private final @Nullable ObservedName observed;

  LeaseSemaphore(Leases leases, LeaseStore store, Terms terms, @Nullable ObservedName observed) {
    this.leases = leases;
    this.store = store;
    this.terms = terms;
    this.observed = observed;
  }

  // ---- what is asked for ----

  /**
   * How long a lease may last. Without this it lasts until it is released; a store elsewhere gives it up all the same if its process does not
   * renew it, see {@link #window}.
   *
   * @param time how long from when it is granted; positive
   * @return a handle of the same name with that setting; this one stays as it is
   * @throws IllegalArgumentException if {@code time} is zero or negative
   */
  public LeaseSemaphore ttl(Duration time) {
    requirePositive(time, "A lease lasts");
    return with(terms.onMismatch(), Terms.nanos(time), terms.maxWait(), terms.window(), terms.idleTtl());
  }

  /**
   * How long {@link #acquire()} and its like wait; for ever, unless set. With zero they take what is free and do not wait.
   *
   * @param time zero or more
   * @return a handle of the same name with that setting; this one stays as it is
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public LeaseSemaphore maxWait(Duration time) {
    Objects.requireNonNull(time, "time");
    if (time.isNegative()) {
      throw new IllegalArgumentException("One waits for some time, or for none, not for " + time + ".");
    }
    return with(terms.onMismatch(), terms.ttl(), Terms.nanos(time), terms.window(), terms.idleTtl());
  }

  /**
   * How long a store elsewhere keeps a lease, or a place in the line, whose process does not renew it: as long as others have to wait for one
   * that has crashed. 30 seconds unless set; renewed three times as often, without anybody's doing. In memory it means nothing.
   *
   * @param time at least two seconds
   * @return a handle of the same name with that setting; this one stays as it is
   * @throws IllegalArgumentException if {@code time} is less than two seconds: a pause would lose every lease
   */
  public LeaseSemaphore window(Duration time) {
    Objects.requireNonNull(time, "time");
    if (time.compareTo(Leases.SHORTEST_WINDOW) < 0) {
      throw new IllegalArgumentException(
          "A renewal window is " + Leases.SHORTEST_WINDOW + " or more, not " + time + ": any pause would lose every lease.");
    }
    return with(terms.onMismatch(), terms.ttl(), terms.maxWait(), Terms.nanos(time), terms.idleTtl());
  }

  /**
   * How long the name is known after its last use; 60 seconds unless set. After that its counts, and a limit set by {@link #resize}, are
   * forgotten. What was said last holds. A store elsewhere may keep them longer.
   *
   * @param time positive
   * @return a handle of the same name with that setting; this one stays as it is
   * @throws IllegalArgumentException if {@code time} is zero or negative
   */
  public LeaseSemaphore idleTtl(Duration time) {
    requirePositive(time, "A name is kept");
    return with(terms.onMismatch(), terms.ttl(), terms.maxWait(), terms.window(), Terms.nanos(time));
  }

  /**
   * What happens if the name is used with another limit than it has; {@link OnMismatch#ERROR} unless set.
   *
   * @param policy what to do then
   * @return a handle of the same name with that setting; this one stays as it is
   */
  public LeaseSemaphore onMismatch(OnMismatch policy) {
    Objects.requireNonNull(policy, "policy");
    return with(policy, terms.ttl(), terms.maxWait(), terms.window(), terms.idleTtl());
  }

  /**
   * What happens to the task that acquired a lease when that is lost; {@link OnExpiry#NOTIFY} unless set.
   *
   * @param action what to do then
   * @return a handle of the same name with that setting; this one stays as it is
   */
  public LeaseSemaphore onExpiry(OnExpiry action) {
    Objects.requireNonNull(action, "action");
    return with(new Terms(terms.name(), terms.limit(), terms.onMismatch(), terms.ttl(), terms.maxWait(), terms.window(),
        terms.idleTtl(), action, terms.label()));
  }

  /**
   * What those who use this handle call themselves, where holders and waiters are listed.
   *
   * @param text any text; empty for none
   * @return a handle of the same name with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is longer than 200 characters
   */
  public LeaseSemaphore label(String text) {
    Objects.requireNonNull(text, "text");
    if (text.length() > MAX_LABEL) {
      throw new IllegalArgumentException("A label has at most " + MAX_LABEL + " characters, not " + text.length() + ".");
    }
    return with(new Terms(terms.name(), terms.limit(), terms.onMismatch(), terms.ttl(), terms.maxWait(), terms.window(),
        terms.idleTtl(), terms.onExpiry(), text));
  }

  /**
   * {@return a handle whose name is listed by {@link Baton#named} and known to metrics: how many permits are free and
   * held, how many wait; and of what is acquired through this handle, and those made from it, for how long it was waited
   * for and held} It is listed as long as somebody has such a handle. To look at a store elsewhere costs a call each
   * time.
   */
  public LeaseSemaphore observed() {
    return observed != null ? this : new LeaseSemaphore(leases, store, terms, leases.observe(terms.name(), terms.limit()));
  }

  private LeaseSemaphore with(OnMismatch mismatch, long ttl, long maxWait, long window, long idleTtl) {
    return with(
        new Terms(terms.name(), terms.limit(), mismatch, ttl, maxWait, window, idleTtl, terms.onExpiry(), terms.label()));
  }

  private LeaseSemaphore with(Terms newTerms) {
    return new LeaseSemaphore(leases, store, newTerms, observed);
  }

  private static void requirePositive(Duration time, String what) {
    Objects.requireNonNull(time, "time");
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException(what + " for some time, not for " + time + ".");
    }
  }

  static void requireName(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "The name of a semaphore has 1 to " + MAX_NAME + " characters, not " + name.length() + ".");
    }
    if (name.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      throw new IllegalArgumentException("The name of a semaphore is text; this one has half a character in it.");
    }
  }

  static void requireLimit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("A semaphore has a limit of 1 to " + MAX_LIMIT + ", not " + limit + ".");
    }
  }

  /** {@return the name} */
  public String name() {
    return terms.name();
  }

  /** {@return the limit that this handle declares; the name may have another, see {@link #stats}} */
  public int limit() {
    return terms.limit();
  }

  // ---- acquire: wait as long as was said ----

  /**
   * Takes one permit, waiting for it at most {@link #maxWait}.
   *
   * @return the lease: close it to release it
   * @throws TimeoutException if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the leases are closed before; nothing is held
   * @throws LimitMismatchException if the name has another limit; nothing is held
   * @throws BackendUnavailableException if the store cannot be reached; nothing is held
   */
  public Lease acquire() throws InterruptedException, TimeoutException {
    return acquire(1, terms.maxWait());
  }

  /**
   * Takes {@code permits} permits together, waiting for them at most {@link #maxWait}; interrupted, nothing is held. See
   * {@link #acquire()}.
   *
   * @param permits how many, together; 1 to the limit
   * @return the lease: close it to release it
   * @throws IllegalArgumentException if {@code permits} is less than 1, or more than the limit: then it could never be granted
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Lease acquire(int permits) throws InterruptedException, TimeoutException {
    return acquire(permits, terms.maxWait());
  }

  /**
   * Takes one permit, waiting for it at most {@code maxWait}; zero or less does not wait. Interrupted, nothing is held; see
   * {@link #acquire()}.
   *
   * @param maxWait how long to wait at most; zero or less does not wait
   * @return the lease: close it to release it
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Lease acquire(Duration maxWait) throws InterruptedException, TimeoutException {
    return acquire(1, Terms.nanos(Objects.requireNonNull(maxWait, "maxWait")));
  }

  /**
   * Takes {@code permits} permits together, waiting for them at most {@code maxWait}; interrupted, nothing is held. See
   * {@link #acquire(int)}.
   *
   * @param permits how many, together; 1 to the limit
   * @param maxWait how long to wait at most; zero or less does not wait
   * @return the lease: close it to release it
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Lease acquire(int permits, Duration maxWait) throws InterruptedException, TimeoutException {
    return acquire(permits, Terms.nanos(Objects.requireNonNull(maxWait, "maxWait")));
  }

  private Lease acquire(int permits, long nanos) throws InterruptedException, TimeoutException {
    HeldLease lease = newLease(permits, false);
    if (!take(lease, nanos, true)) {
      throw timeout(lease);
    }
    return lease;
  }

  /**
   * Takes one permit like {@link #acquire()}, but ignores interrupts while waiting; one that came is pending again on return.
   *
   * @return the lease: close it to release it
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Lease acquireUninterruptibly() throws TimeoutException {
    return acquireUninterruptibly(1);
  }

  /**
   * Takes {@code permits} permits together, ignoring interrupts; see {@link #acquireUninterruptibly()}.
   *
   * @param permits how many, together; 1 to the limit
   * @return the lease: close it to release it
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Lease acquireUninterruptibly(int permits) throws TimeoutException {
    HeldLease lease = newLease(permits, false);
    if (!takeUninterruptibly(lease, terms.maxWait())) {
      throw timeout(lease);
    }
    return lease;
  }

  // ---- tryAcquire: empty instead of an error ----

  /**
   * Takes one permit if it is free and nobody waits. Never waits for others.
   *
   * @return the lease; empty if nothing was taken
   */
  public Optional<Lease> tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Takes {@code permits} permits if they are free and nobody waits. Never waits for others.
   *
   * @param permits how many, together; 1 to the limit
   * @return the lease; empty if nothing was taken
   * @throws IllegalArgumentException if {@code permits} is less than 1 or more than the limit
   */
  public Optional<Lease> tryAcquire(int permits) {
    HeldLease lease = newLease(permits, false);
    return takeUninterruptibly(lease, 0) ? Optional.of(lease) : Optional.empty();
  }

  /**
   * Takes one permit, waiting for it at most {@code timeout}; interrupted, nothing is held. See {@link #tryAcquire(int, Duration)}.
   *
   * @param timeout how long to wait at most; zero or less does not wait
   * @return the lease; empty if the time passed first
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   */
  public Optional<Lease> tryAcquire(Duration timeout) throws InterruptedException {
    return tryAcquire(1, timeout);
  }

  /**
   * Takes {@code permits} permits together, waiting for them at most {@code timeout}, whatever {@link #maxWait} says. Zero or less does not wait.
   *
   * @param permits how many, together; 1 to the limit
   * @param timeout how long to wait at most; zero or less does not wait
   * @return empty if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   */
  public Optional<Lease> tryAcquire(int permits, Duration timeout) throws InterruptedException {
    long nanos = Terms.nanos(Objects.requireNonNull(timeout, "timeout"));
    HeldLease lease = newLease(permits, false);
    return take(lease, nanos, true) ? Optional.of(lease) : Optional.empty();
  }

  // ---- acquireAsync: wait as a future ----

  /**
   * Asks for one permit, for at most {@link #maxWait}; cancelled, nothing is held. See {@link #acquireAsync(int, Duration)}.
   *
   * @return a future that ends with the lease, or with what {@link #acquire()} throws
   */
  public CompletableFuture<Lease> acquireAsync() {
    return request(1, terms.maxWait());
  }

  /**
   * Asks for {@code permits} permits together, for at most {@link #maxWait}; cancelled, nothing is held. See
   * {@link #acquireAsync(int, Duration)}.
   *
   * @param permits how many, together; 1 to the limit
   * @return a future that ends with the lease, or with what {@link #acquire(int)} throws
   */
  public CompletableFuture<Lease> acquireAsync(int permits) {
    return request(permits, terms.maxWait());
  }

  /**
   * Asks for one permit, for at most {@code maxWait}; cancelled, nothing is held. See {@link #acquireAsync(int, Duration)}.
   *
   * @param maxWait how long to wait at most; zero or less does not wait
   * @return a future that ends with the lease, or in time with {@link TimeoutException}
   */
  public CompletableFuture<Lease> acquireAsync(Duration maxWait) {
    return request(1, Terms.nanos(Objects.requireNonNull(maxWait, "maxWait")));
  }

  /**
   * Asks for {@code permits} permits together, for at most {@code maxWait}, and never blocks. The request stands in the same line as blocking
   * ones. The future ends with the lease, or with what {@link #acquire(int)} would throw. If it is cancelled, or completed by anybody else,
   * the request leaves the line and a grant that came too late goes back. Nobody is interrupted when such a lease is lost.
   *
   * @param permits how many, together; 1 to the limit
   * @param maxWait how long to wait at most; zero or less does not wait
   * @return a future that ends with the lease; who gets it has to close it
   * @throws IllegalArgumentException if {@code permits} is less than 1
   */
  public CompletableFuture<Lease> acquireAsync(int permits, Duration maxWait) {
    return request(permits, Terms.nanos(Objects.requireNonNull(maxWait, "maxWait")));
  }

  private CompletableFuture<Lease> request(int permits, long nanos) {
    LeaseFuture future = new LeaseFuture(store, newLease(permits, true), nanos > 0);
    SwitchPoints.reach(this);
    future.begin(nanos);
    return future;
  }

  // ---- withLease ----

  /**
   * Runs {@code body} with one permit held, as {@link #acquire()} takes it, and releases it however the body ends. Interrupted while it waits,
   * nothing is held and {@code body} has not run.
   *
   * @param <T> what the body returns
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile; it is not told if the lease is lost, unless by {@link OnExpiry#INTERRUPT_HOLDER}
   * @return what {@code body} returned
   * @throws X what {@code body} threw; the lease was released
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   * @throws TimeoutException if {@link #maxWait} passed first; {@code body} has not run
   */
  public <T extends @Nullable Object, X extends Throwable> T withLease(Body<T, X> body)
      throws X, InterruptedException, TimeoutException {
    Objects.requireNonNull(body, "body");
    try (Lease _ = acquire()) {
      return body.run();
    }
  }

  /**
   * Runs {@code body} with one permit held, as {@link #acquire()} takes it, and releases it however the body ends. Interrupted while it waits,
   * nothing is held and {@code body} has not run.
   *
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile; it is not told if the lease is lost, unless by {@link OnExpiry#INTERRUPT_HOLDER}
   * @throws X what {@code body} threw; the lease was released
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   * @throws TimeoutException if {@link #maxWait} passed first; {@code body} has not run
   */
  public <X extends Throwable> void withLease(VoidBody<X> body) throws X, InterruptedException, TimeoutException {
    Objects.requireNonNull(body, "body");
    try (Lease _ = acquire()) {
      body.run();
    }
  }

  // ---- leases by their id ----

  /**
   * Releases a lease of this name; whoever has it may do so, wherever it was acquired.
   *
   * @param id that of a lease, by {@link Lease#id}
   * @return UNKNOWN if no such lease is held; EXPIRED if it was lost here not long ago. Then nothing changes
   */
  public ReleaseResult release(String id) {
    Objects.requireNonNull(id, "id");
    SwitchPoints.reach(this);
    ReleaseResult result = store.release(terms.name(), id);
    return result == ReleaseResult.UNKNOWN && leases.wasLost(terms.name(), id) ? ReleaseResult.EXPIRED : result;
  }

  /**
   * Gives a lease of this name so long from now, as {@link Lease#extend(Duration)} does.
   *
   * @param id that of a lease, by {@link Lease#id}
   * @param time how long from now on; positive
   * @return false if no such lease is held, or it has no end; then nothing changes
   * @throws IllegalArgumentException if {@code time} is zero or negative
   */
  public boolean extend(String id, Duration time) {
    Objects.requireNonNull(id, "id");
    HeldLease.requirePositive(time);
    SwitchPoints.reach(this);
    return store.extend(terms.name(), id, Terms.nanos(time));
  }

  /**
   * Takes a lease of this name away from its holder, who loses it as {@link LossReason#REVOKED}; the next in line is served.
   *
   * @param id that of a lease, by {@link Lease#id}
   * @return false if no such lease is held; then nothing changes
   */
  public boolean revoke(String id) {
    Objects.requireNonNull(id, "id");
    SwitchPoints.reach(this);
    return store.revoke(terms.name(), id);
  }

  /**
   * Sets the limit of the name. New permits are granted at once. Lowering revokes nobody: nothing is granted until less is held than the new
   * limit; requests for more than that are refused with {@link IllegalArgumentException}. Handles that declare this limit, or the one that was
   * declared first, are no mismatch; those that declare one that was set in between are. It is a use of the name, see {@link #idleTtl}.
   *
   * @param limit the new limit; at least 1
   * @throws IllegalArgumentException if {@code limit} is less than 1 or more than {@link #MAX_LIMIT}
   */
  public void resize(int limit) {
    requireLimit(limit);
    SwitchPoints.reach(this);
    store.resize(terms, limit);
  }

  // ---- looking ----

  /** {@return whether {@link #tryAcquire()} would find nothing: all permits are held, or somebody waits} */
  public boolean isFull() {
    SwitchPoints.reach(this);
    return store.isFull(terms.name());
  }

  /** {@return how the name is doing} One that nobody uses has the limit that this handle declares, and zeros. */
  public LeaseStats stats() {
    SwitchPoints.reach(this);
    LeaseStats known = store.stats(terms.name());
    return known != null ? known : new LeaseStats(terms.name(), 0, terms.limit(), 0, 0, Duration.ZERO, 0, 0, 0, 0, 0);
  }

  /** {@return the leases that are held, oldest first} */
  public List<LeaseHolder> holders() {
    SwitchPoints.reach(this);
    return store.inspect(terms.name()).holders();
  }

  /** {@return the requests that wait, in order} */
  public List<LeaseWaiter> waiters() {
    SwitchPoints.reach(this);
    return store.inspect(terms.name()).waiters();
  }

  @Override
  public String toString() {
    return "LeaseSemaphore[" + Terms.shown(terms.name()) + ", limit " + terms.limit() + ", " + store.kind() + "]";
  }

  // ---- inside ----

  private HeldLease newLease(int permits, boolean async) {
    if (permits < 1) {
      throw new IllegalArgumentException("A lease is for at least 1 permit, not " + permits + ".");
    }
    Host host = Hosts.current();
    Probe probe = observed == null ? null : observed.probe();
    return leases.newLease(terms, permits, host, async ? null : host.currentTask(), probe);
  }

  private boolean takeUninterruptibly(HeldLease lease, long nanos) {
    try {
      return take(lease, nanos, false);
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** False: not granted in time, and nothing is held. */
  private boolean take(HeldLease lease, long nanos, boolean interruptible) throws InterruptedException {
    SwitchPoints.reach(this);
    if (interruptible && Thread.interrupted()) {
      throw new InterruptedException();
    }
    LeaseRequest request = new LeaseRequest(lease, nanos > 0);
    store.acquire(request);
    int outcome = request.outcome();
    if (outcome == WAITING) {
      // One that may not wait for others waits for the store only, which sees to its end.
      outcome = await(request, interruptible, nanos > 0 ? nanos : NEVER);
      lease.waitEnded(outcome == GRANTED);
    }
    return switch (outcome) {
      case GRANTED -> {
        Ledger.took(lease.primitive(), lease.permits());
        LeaseLog.acquired(lease);
        yield true;
      }
      case INTERRUPTED -> throw new InterruptedException();
      case TIMED_OUT -> false;
      case REFUSED -> {
        store.withdraw(request, true);
        yield false;
      }
      default -> throw failure(request);
    };
  }

  /** Waits; a wait that is given up has left the line, and has given back what it was granted meanwhile. */
  private int await(LeaseRequest request, boolean interruptible, long nanos) {
    int outcome;
    try {
      outcome = request.await(request.blocker(), interruptible, nanos);
    } catch (Throwable unwound) {
      giveUp(request);
      throw unwound;
    }
    if (outcome == INTERRUPTED) {
      giveUp(request);
    } else if (outcome == TIMED_OUT) {
      if (request.claim()) {
        store.withdraw(request, true);
      } else {
        outcome = request.await(request.blocker(), false, NEVER);
      }
    }
    return outcome;
  }

  private void giveUp(LeaseRequest request) {
    if (request.claim()) {
      store.withdraw(request, false);
    } else if (request.await(request.blocker(), false, NEVER) == GRANTED) {
      // Nobody was told that it is taken.
      request.lease().discard();
    }
  }

  static RuntimeException failure(LeaseRequest request) {
    RuntimeException why = request.failure();
    return why != null ? why : new IllegalStateException("failed for no reason");
  }

  static TimeoutException timeout(HeldLease lease) {
    return new TimeoutException(
        lease.permits() + " of " + Terms.shown(lease.name()) + " could not be had in time; nothing is held.");
  }
}
