// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Host;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.jfr.Flight;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.QueueState;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Watch;
import dev.baton.internal.select.Selectables;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A fair counting semaphore: permits are handed over in the order in which they were asked for.
 *
 * {@snippet :
 * Semaphore connections = Semaphore.of(10);
 * try (Permit permit = connections.hold(2)) {
 *   // at most 10 are in use at any time
 * }
 * }
 *
 * <p><b>Order.</b> Strictly first in, first out, for blocking, timed and asynchronous requests alike. A newcomer never
 * overtakes a waiter, not even by {@link #tryAcquire()}. A large request at the head keeps what is returned set aside until
 * it is whole: small requests cannot starve it.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt, time-out, {@link #close} or cancellation of its future holds
 * nothing, loses nothing, and lets the next waiter be considered in the same step. If a grant and an interrupt meet, the
 * interrupt wins and the permits go on to the next; if a grant and a time-out meet, the grant wins.
 *
 * <p><b>Bound.</b> A semaphore made by {@link #of} never has more free permits than its limit: returning more than is held
 * is an error and changes nothing. Permits have no owner; any thread may return them. With an owner: {@link #hold}.
 *
 * <p><b>Memory effects.</b> What a thread did before it returned a permit is seen by whoever acquires that permit after.
 *
 * <p><b>Cost.</b> Without waiters, acquiring and releasing one permit are one atomic add each; several, one compare-and-set.
 * Nothing is allocated. A waiter costs one queue node; it leaves the queue in constant time.
 */
public final class Semaphore {
  /** The most permits a semaphore can have, and the most that can be asked for at once. */
  public static final long MAX_PERMITS = PermitQueue.MAX;

  static {
    SyncInspector.install();
  }

  private final PermitQueue queue;
  private final boolean bounded;

  static {
    Selectables.semaphores(
        new Selectables.Semaphores() {
          @Override
          public PermitQueue queue(Semaphore semaphore) {
            return semaphore.queue;
          }

          @Override
          public void require(Semaphore semaphore, long n) {
            requireCount(n);
            if (n < 1) {
              throw new IllegalArgumentException("A clause waits for at least 1 permit, not " + n + ".");
            }
          }

          @Override
          public Permit taken(Semaphore semaphore, long n) {
            Ledger.took(semaphore, n);
            Permit permit = semaphore.newPermit(n);
            permit.taken();
            return permit;
          }

          @Override
          public RuntimeException failure(Semaphore semaphore, int outcome, long n) {
            return semaphore.failure(outcome, n);
          }
        });
  }

  /** Who holds permits, once that has been written down. Not volatile: whoever sees it sees all of it, or makes it. */
  private @Nullable PermitHolders holders;

  private Semaphore(long limit, long free, boolean bounded) {
    this.queue = new PermitQueue(limit, free);
    this.bounded = bounded;
    Ledger.made(this);
  }

  /**
   * {@return a semaphore with {@code permits} free permits and never more}
   *
   * @param permits how many there are, 1 to {@link #MAX_PERMITS}
   * @throws IllegalArgumentException if {@code permits} is less than 1 or more than {@link #MAX_PERMITS}
   */
  public static Semaphore of(long permits) {
    if (permits < 1 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "A bounded semaphore needs 1 to 2^60 permits, not " + permits + ". To start with none, use unbounded(0).");
    }
    return new Semaphore(permits, permits, true);
  }

  /**
   * {@return a semaphore with {@code initial} free permits to which any number can be added by {@link #release}}
   *
   * @param initial how many are free at first, 0 to {@link #MAX_PERMITS}
   * @throws IllegalArgumentException if {@code initial} is negative or more than {@link #MAX_PERMITS}
   */
  public static Semaphore unbounded(long initial) {
    requireCount(initial);
    return new Semaphore(MAX_PERMITS, initial, false);
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "db"; other things may have the same name
   * @return this very semaphore
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public Semaphore named(String name) {
    queue.probe(Probe.name(queue.probe(), "semaphore", name, this, Semaphore::usage));
    return this;
  }

  private Usage usage() {
    return new Usage(queue.available(), bounded ? queue.held() : Usage.UNKNOWN, queue.waiting());
  }

  /** The name; empty if it has none. */
  String name() {
    Probe probe = queue.probe();
    return probe == null ? "" : probe.name();
  }

  // ---- acquire: wait as long as it takes ----

  /**
   * Takes one permit, waiting for it if need be.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the semaphore is closed before the permit is granted; nothing is held
   * @throws IllegalArgumentException if {@link #resize} or {@link #forget} has lowered the limit to 0
   */
  public void acquire() throws InterruptedException {
    Host host = SwitchPoints.reached(this);
    Interrupts.check();
    if (!queue.takeOne()) {
      requireGranted(queue.await(host, 1, true, this, true, FOREVER), 1);
    }
    Ledger.took(host, this, 1);
  }

  /**
   * Takes {@code n} permits together, waiting for them if need be. {@code acquire(0)} succeeds unless closed.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the semaphore is closed before the permits are granted; nothing is held
   * @throws IllegalArgumentException if {@code n} is negative, or more than the limit: then it could never be granted
   */
  public void acquire(long n) throws InterruptedException {
    requireGranted(await(n, true, FOREVER), n);
    Ledger.took(this, n);
  }

  /**
   * Takes one permit and ignores interrupts while waiting; one that came is pending again on return.
   *
   * @throws ClosedException if the semaphore is closed before the permit is granted; nothing is held
   * @throws IllegalArgumentException if {@link #resize} or {@link #forget} has lowered the limit to 0
   */
  public void acquireUninterruptibly() {
    acquireUninterruptibly(1);
  }

  /**
   * Takes {@code n} permits together and ignores interrupts while waiting; one that came is pending again on return.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @throws ClosedException if the semaphore is closed before the permits are granted; nothing is held
   * @throws IllegalArgumentException if {@code n} is negative or more than the limit
   */
  public void acquireUninterruptibly(long n) {
    requireCount(n);
    SwitchPoints.reach(this);
    int outcome = take(n, false, FOREVER);
    if (outcome != GRANTED) {
      throw failure(outcome, n);
    }
    Ledger.took(this, n);
  }

  // ---- tryAcquire: wait not at all, or so long ----

  /**
   * Takes one permit if it is free and nobody waits. Never blocks.
   *
   * @return false if nothing was taken: because none is free, or others wait
   * @throws ClosedException if the semaphore is closed
   */
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Takes {@code n} permits if they are free and nobody waits. Never blocks.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @return false if nothing was taken, also if {@code n} is more than the limit
   * @throws ClosedException if the semaphore is closed
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public boolean tryAcquire(long n) {
    requireCount(n);
    SwitchPoints.reach(this);
    if (n != 0 && queue.tryTake(n)) {
      Ledger.took(this, n);
      return true;
    }
    requireOpen();
    return n == 0;
  }

  /**
   * Takes one permit, waiting at most {@code timeout}; see {@link #tryAcquire(long, Duration)}.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the semaphore is closed before the permit is granted; nothing is held
   */
  public boolean tryAcquire(Duration timeout) throws InterruptedException {
    return tryAcquire(1, timeout);
  }

  /**
   * Takes {@code n} permits together, waiting at most {@code timeout}: to the nanosecond; zero or less tries once; more than
   * 292 years waits without a deadline.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @param timeout how long to wait at most; zero or less tries once
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the semaphore is closed before the permits are granted; nothing is held
   * @throws IllegalArgumentException if {@code n} is negative, or more than the limit: then no time would be enough
   */
  public boolean tryAcquire(long n, Duration timeout) throws InterruptedException {
    int outcome = await(n, true, Nanos.of(timeout));
    if (outcome == TIMED_OUT) {
      return false;
    }
    requireGranted(outcome, n);
    Ledger.took(this, n);
    return true;
  }

  // ---- acquireAsync: wait as a future ----

  /**
   * Asks for one permit; cancelled, it has taken none. See {@link #acquireAsync(long, Duration)}.
   *
   * @return a future that ends with the permit, or with what {@link #acquire()} throws
   */
  public CompletableFuture<Permit> acquireAsync() {
    return acquireAsync(1);
  }

  /**
   * Asks for {@code n} permits together; cancelled, it has taken none. See {@link #acquireAsync(long, Duration)}.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @return a future that ends with the permits, or with what {@link #acquire(long)} throws
   */
  public CompletableFuture<Permit> acquireAsync(long n) {
    return request(n, FOREVER);
  }

  /**
   * Asks for one permit, for at most {@code timeout}; cancelled, it has taken none. See {@link #acquireAsync(long, Duration)}.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the permit, or in time with {@link TimeoutException}
   */
  public CompletableFuture<Permit> acquireAsync(Duration timeout) {
    return acquireAsync(1, timeout);
  }

  /**
   * Asks for {@code n} permits together, for at most {@code timeout}, and never blocks. The request stands in the same queue
   * as blocking ones.
   *
   * <p>The future ends with the permit; or with {@link TimeoutException}, {@link ClosedException}, or {@link
   * IllegalArgumentException} if {@code n} is more than the limit. If it is cancelled, or completed by anybody else, the
   * request leaves the queue and a grant that came too late goes back. Callbacks run on the thread that completes the future:
   * one that releases, mostly, but also one whose own wait ends early and lets this one be served.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the permits; who gets them has to close them
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public CompletableFuture<Permit> acquireAsync(long n, Duration timeout) {
    return request(n, Nanos.of(timeout));
  }

  // ---- hold: permits that know how to go back ----

  /**
   * Takes one permit as {@link #acquire()} does, none if it is interrupted; closing the result returns it.
   *
   * @return the permits: close them to return them
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   */
  public Permit hold() throws InterruptedException {
    return hold(1);
  }

  /**
   * Takes {@code n} permits as {@link #acquire(long)} does, none if it is interrupted; closing the result returns them.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @return the permits: close them to return them
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   */
  public Permit hold(long n) throws InterruptedException {
    requireCount(n);
    Permit permit = newPermit(n);
    acquire(n);
    permit.taken();
    return permit;
  }

  /**
   * Takes one permit, waiting at most {@code timeout}, none if it is interrupted; see {@link #hold(long, Duration)}.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return the permits: close them to return them
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws TimeoutException if the time passed first; nothing is held
   */
  public Permit hold(Duration timeout) throws InterruptedException, TimeoutException {
    return hold(1, timeout);
  }

  /**
   * Takes {@code n} permits, waiting at most {@code timeout}; closing the result returns them.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @param timeout how long to wait at most; zero or less tries once
   * @return the permits: close them to return them
   * @throws TimeoutException if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws ClosedException if the semaphore is closed before the permits are granted; nothing is held
   * @throws IllegalArgumentException if {@code n} is negative or more than the limit
   */
  public Permit hold(long n, Duration timeout) throws InterruptedException, TimeoutException {
    requireCount(n);
    Permit permit = newPermit(n);
    if (!tryAcquire(n, timeout)) {
      throw new TimeoutException("Waited " + timeout + " for " + n + " of " + this + "; nothing is held.");
    }
    permit.taken();
    return permit;
  }

  /**
   * Takes one permit if it is free and nobody waits. Never blocks.
   *
   * @return the permits; empty if nothing was taken
   */
  public Optional<Permit> tryHold() {
    return tryHold(1);
  }

  /**
   * Takes {@code n} permits as {@link #tryAcquire(long)} does. Never blocks.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @return the permits; empty if nothing was taken
   */
  public Optional<Permit> tryHold(long n) {
    requireCount(n);
    Permit permit = newPermit(n);
    Optional<Permit> held = Optional.of(permit);
    if (!tryAcquire(n)) {
      return Optional.empty();
    }
    permit.taken();
    return held;
  }

  /**
   * Runs {@code body} with one permit held, as {@link #acquire()} takes it, and returns it however the body ends. Interrupted while it
   * waits, it has taken nothing and {@code body} has not run.
   *
   * @param <T> what the body returns
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile
   * @return what {@code body} returned
   * @throws X what {@code body} threw; the permits were returned
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <T extends @Nullable Object, X extends Throwable> T withPermit(Body<T, X> body)
      throws X, InterruptedException {
    return withPermit(1, body);
  }

  /**
   * Runs {@code body} with one permit held, as {@link #acquire()} takes it, and returns it however the body ends. Interrupted while it
   * waits, it has taken nothing and {@code body} has not run.
   *
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile
   * @throws X what {@code body} threw; the permits were returned
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <X extends Throwable> void withPermit(VoidBody<X> body) throws X, InterruptedException {
    withPermit(1, body);
  }

  /**
   * Runs {@code body} with {@code n} permits held, as {@link #acquire(long)} takes them, and returns them however it ends. Interrupted while it
   * waits, it has taken nothing and {@code body} has not run.
   *
   * @param <T> what the body returns
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @param body what to run meanwhile
   * @return what {@code body} returned
   * @throws X what {@code body} threw; the permits were returned
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <T extends @Nullable Object, X extends Throwable> T withPermit(long n, Body<T, X> body)
      throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    if (Watch.seesHolds()) {
      try (Permit _ = hold(n)) {
        return body.run();
      }
    }
    acquire(n);
    try {
      return body.run();
    } finally {
      SwitchPoints.reach(this);
      giveBack(n);
    }
  }

  /**
   * Runs {@code body} with {@code n} permits held, as {@link #acquire(long)} takes them, and returns them however it ends. Interrupted while it
   * waits, it has taken nothing and {@code body} has not run.
   *
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @param body what to run meanwhile
   * @throws X what {@code body} threw; the permits were returned
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <X extends Throwable> void withPermit(long n, VoidBody<X> body) throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    if (Watch.seesHolds()) {
      try (Permit _ = hold(n)) {
        body.run();
      }
      return;
    }
    acquire(n);
    try {
      body.run();
    } finally {
      SwitchPoints.reach(this);
      giveBack(n);
    }
  }

  // ---- giving back and changing ----

  /**
   * Returns one permit; it goes straight to the first in line if that makes its request whole.
   *
   * @throws IllegalStateException if none is held (bounded) or there are {@link #MAX_PERMITS} (unbounded); nothing changes.
   *     When several threads return too much at once, which of them gets the error is open
   */
  public void release() {
    Host host = SwitchPoints.reached(this);
    boolean given = true;
    try {
      given = queue.giveOne();
    } finally {
      // After it, since it may be refused; also if somebody else's callback has failed, for then it was not.
      if (given) {
        Ledger.gave(host, this, 1);
      }
    }
    if (!given) {
      throw overRelease(1);
    }
  }

  /**
   * Returns {@code n} permits together; {@code release(0)} does nothing.
   *
   * @param n how many permits, 0 to {@link #MAX_PERMITS}
   * @throws IllegalStateException if fewer are held (bounded) or there would be too many (unbounded); nothing changes
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public void release(long n) {
    requireCount(n);
    SwitchPoints.reach(this);
    boolean given = true;
    try {
      given = n == 0 || queue.give(n);
    } finally {
      if (given) {
        Ledger.gave(this, n);
      }
    }
    if (!given) {
      throw overRelease(n);
    }
  }

  /**
   * Takes up to {@code n} free permits out for good; the limit of a bounded semaphore shrinks with them. Never waits. Queued
   * requests that can never fit any more are refused.
   *
   * @param n how many at most, 0 to {@link #MAX_PERMITS}
   * @return how many were taken out; 0 once closed
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public long forget(long n) {
    requireCount(n);
    SwitchPoints.reach(this);
    return queue.forgetFree(n, bounded);
  }

  /**
   * Refuses all who wait and all who come later with {@link ClosedException}. What was granted before stays granted and can
   * still be returned. Closing again does nothing.
   */
  public void close() {
    SwitchPoints.reach(this);
    queue.close();
  }

  /** {@return whether {@link #close} has been called} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return queue.isClosed();
  }

  /**
   * Sets the limit. New permits are granted at once. Lowering takes nothing away from holders: what they return above the new
   * limit disappears. Queued requests for more than the new limit are refused with {@link IllegalArgumentException}.
   *
   * @param limit the new limit, 0 to {@link #MAX_PERMITS}; with 0 nothing can be acquired until it is raised
   * @throws IllegalArgumentException if {@code limit} is negative or more than {@link #MAX_PERMITS}
   * @throws UnsupportedOperationException if the semaphore is unbounded
   * @throws ClosedException if it is closed
   */
  public void resize(long limit) {
    requireCount(limit);
    if (!bounded) {
      throw new UnsupportedOperationException(
          "An unbounded semaphore has no limit to set: use release and forget, or make it with Semaphore.of.");
    }
    SwitchPoints.reach(this);
    if (!queue.resize(limit)) {
      throw closed();
    }
  }

  // ---- looking ----

  /**
   * Permits that could be acquired now; 0 while somebody waits, and once closed.
   *
   * @return permits that could be acquired now; 0 while somebody waits, and once closed
   */
  public long available() {
    SwitchPoints.reach(this);
    return queue.available();
  }

  /** {@return the most permits that can be free; {@link #MAX_PERMITS} if unbounded} */
  public long limit() {
    SwitchPoints.reach(this);
    return queue.limit();
  }

  /** {@return how many requests wait} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting();
  }

  /**
   * Everything at one instant: counts that add up, and who waits for how many since when.
   *
   * @return counts that add up, and who waits for how many since when
   */
  public Snapshot snapshot() {
    SwitchPoints.reach(this);
    QueueState state = queue.state();
    return new Snapshot(
        state.limit(),
        state.free(),
        state.reserved(),
        bounded ? state.held() : 0,
        state.debt(),
        state.closed(),
        state.describe(Waiting::new));
  }

  @Override
  public String toString() {
    String state =
        queue.isClosed() ? "closed" : queue.available() + (bounded ? " of " + queue.limit() : "") + " available";
    return "Semaphore" + Probe.shown(queue.probe()) + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  /**
   * A semaphore at one instant. While a bounded one is open, {@code free + reserved + held = limit + debt}.
   *
   * @param limit the limit
   * @param free permits anybody may take; 0 once closed
   * @param reserved permits set aside for the first in line, not yet enough for it
   * @param held permits granted and not yet returned; 0 for an unbounded semaphore, which does not count them
   * @param debt permits that have to come back before a lowered limit is reached; not counted once closed
   * @param closed whether it was closed
   * @param waiting who waits, in order
   */
  public record Snapshot(
      long limit, long free, long reserved, long held, long debt, boolean closed, List<Waiting> waiting) {}

  /**
   * A request that waits.
   *
   * @param who the thread, or "future"
   * @param permits how many it asks for
   * @param waited for how long it has been waiting
   */
  public record Waiting(String who, long permits, Duration waited) {}

  // ---- inside ----

  /** A permit that the calling task is about to take. Made beforehand: once permits are taken, nothing may fail. */
  private Permit newPermit(long n) {
    return new Permit(this, n, Watch.seesHolds() || Flight.recordsLeaks() ? taker() : null);
  }

  private @Nullable Object taker() {
    Object taker = Taker.of(queue.probe());
    return taker == null && Flight.recordsLeaks() ? Taker.now() : taker;
  }

  /** Where to write down who holds permits. */
  PermitHolders holders() {
    PermitHolders known = holders;
    return known != null ? known : makeHolders();
  }

  private synchronized PermitHolders makeHolders() {
    PermitHolders known = holders;
    if (known == null) {
      known = new PermitHolders(bounded ? queue.limit() : MAX_PERMITS);
      holders = known;
    }
    return known;
  }

  /** Who holds how many permits, as far as that is known. */
  List<Holding> holdings() {
    PermitHolders known = holders;
    // Counted before the holders are looked at: whoever gives back meanwhile is missing there, and counts as unknown.
    long rest = bounded ? queue.held() : 0;
    List<Holding> all = new ArrayList<>(known == null ? List.of() : known.holdings());
    for (Holding holding : all) {
      rest -= holding.permits();
    }
    if (!bounded) {
      all.add(Holding.unknown(0, "anybody may release more: it is unbounded"));
    } else if (rest > 0) {
      all.add(Holding.unknown(rest, "held by acquire() without a Permit: holder unknown"));
    }
    return all;
  }

  /** Returns what is known to be held. Only foreign returns of permits that were not theirs can make that too much. */
  void giveBack(long n) {
    if (n != 0) {
      Ledger.gave(this, n);
      queue.giveBack(n);
    }
  }

  void forgetHeld(long n) {
    Ledger.gave(this, n);
    if (bounded) {
      queue.forgetHeld(n);
    }
  }

  private int await(long n, boolean interruptible, long nanos) throws InterruptedException {
    requireCount(n);
    SwitchPoints.reach(this);
    Interrupts.check();
    return take(n, interruptible, nanos);
  }

  private int take(long n, boolean interruptible, long nanos) {
    if (n == 0) {
      return queue.isClosed() ? CLOSED : GRANTED;
    }
    if (n == 1 && nanos > 0) {
      return queue.takeOne() ? GRANTED : queue.await(1, true, this, interruptible, nanos);
    }
    if (queue.tryTake(n)) {
      return GRANTED;
    }
    if (nanos == 0) {
      return queue.isClosed() ? CLOSED : n > queue.limit() ? REFUSED : TIMED_OUT;
    }
    // Too large a request is refused in there, under the lock.
    return queue.await(n, false, this, interruptible, nanos);
  }

  private CompletableFuture<Permit> request(long n, long nanos) {
    requireCount(n);
    SwitchPoints.reach(this);
    PermitRequest request = new PermitRequest(n);
    if (n == 0 ? !queue.isClosed() : queue.tryTake(n)) {
      return request.grantNow();
    }
    if (nanos == 0 && !queue.isClosed() && n <= queue.limit()) {
      return request.expireNow();
    }
    return request.submitted(queue.enqueue(request, false), nanos);
  }

  private @Nullable Object futureTaker() {
    Object taker = Taker.ofFuture(queue.probe());
    return taker == null && Flight.recordsLeaks() ? Taker.noTask() : taker;
  }

  private final class PermitRequest extends AsyncRequest<Permit> {
    private final Permit permit;

    PermitRequest(long n) {
      this(n, new Permit(Semaphore.this, n, Watch.seesHolds() || Flight.recordsLeaks() ? futureTaker() : null));
    }

    private PermitRequest(long n, Permit permit) {
      super(queue, n);
      this.permit = permit;
    }

    @Override
    protected Object primitive() {
      return Semaphore.this;
    }

    @Override
    protected Permit value() {
      permit.taken();
      Ledger.tookAsync(Semaphore.this, permit.count());
      return permit;
    }

    @Override
    protected void giveBack() {
      permit.close();
    }

    @Override
    protected Exception failure(int outcome) {
      return Semaphore.this.failure(outcome, permit.count());
    }
  }

  private static void requireCount(long n) {
    if (n < 0 || n > MAX_PERMITS) {
      throw new IllegalArgumentException("A count of permits is 0 to 2^60, not " + n + ".");
    }
  }

  private void requireOpen() {
    if (queue.isClosed()) {
      throw closed();
    }
  }

  private void requireGranted(int outcome, long n) throws InterruptedException {
    if (outcome == GRANTED) {
      return;
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    throw failure(outcome, n);
  }

  private RuntimeException failure(int outcome, long n) {
    return switch (outcome) {
      case CLOSED -> closed();
      case REFUSED -> tooMany(n);
      default ->
          new IllegalStateException("Those who wait ask for more than 2^61 permits together; " + n + " more are refused.");
    };
  }

  private static ClosedException closed() {
    return new ClosedException("The semaphore is closed: nothing can be acquired any more; held permits can be released.");
  }

  private IllegalArgumentException tooMany(long n) {
    long limit = queue.limit();
    // It may have been raised since.
    String why = n > limit ? "can never be granted: the limit is " : "were refused: the limit was lower than the present ";
    return new IllegalArgumentException(n + " permits " + why + limit + ". Ask for at most that, or resize.");
  }

  private IllegalStateException overRelease(long n) {
    QueueState state = queue.state();
    return new IllegalStateException(
        bounded
            ? "Cannot release " + n + ": only " + state.held() + " of " + state.limit()
                + " permits are held. Release only what was acquired, or use Semaphore.unbounded."
            : "Cannot release " + n + ": there would be more than 2^60 permits.");
  }
}
