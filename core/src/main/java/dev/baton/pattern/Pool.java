// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.QueueState;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.select.Selectables;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import dev.baton.sync.ClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lends out resources that are dear to make, such as connections: never more than a limit, the idle ones first.
 *
 * {@snippet :
 * try (Pool<StringBuilder> pool =
 *     Pool.<StringBuilder>builder(8, StringBuilder::new)
 *         .healthCheck(buffer -> buffer.capacity() < 1_000_000)
 *         .maxIdle(Duration.ofMinutes(5))
 *         .build()) {
 *   int length = pool.withResource(buffer -> buffer.append("hello").length());
 *   try (Borrowed<StringBuilder> mine = pool.acquire()) {
 *     mine.get().setLength(0);
 *   }
 * }
 * }
 *
 * <p>A pool that is written with a condition variable mostly has one of these troubles, which this one has not: <i>forgotten
 * signals</i> (a slot becomes free and nobody is told), <i>spurious wake-ups</i> (all are woken for one resource),
 * <i>unresponsive cancellation</i> (a borrower that has given up still waits, or holds a reservation) and <i>leaked slots</i> (the
 * factory or a destroyer throws, and the limit has shrunk for good).
 *
 * <p><b>Limit.</b> No more than {@link #limit} resources exist at any time, counted from before the factory is called until after the
 * destroyer has returned. A new one is made only for somebody who found none idle.
 *
 * <p><b>Order.</b> The one who has waited longest gets the next resource or slot; a newcomer never overtakes, not even by {@link
 * #tryAcquire()}. Of the idle resources the one that was returned last is lent first: it is the warmest, and those that are not
 * needed grow old and go.
 *
 * <p><b>Foreign code.</b> Factory, health check and destroyer run with no lock held, on the thread of the borrower (of {@link
 * #acquireAsync}: in a task of their own). While one of them takes its time, only its own slot waits. A factory that throws gives the
 * slot to the next in line, who tries in turn. An idle resource that is not healthy is destroyed and replaced before the borrower sees
 * it. What a destroyer or a health check throws goes to the {@linkplain Builder#onFailure handler}, and loses no slot.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt, time-out, {@link #close} or cancellation of its future holds nothing and has
 * reserved nothing, and the next in line is considered in the same step. If a grant and an interrupt meet, the interrupt wins and the
 * resource goes on to the next; if a grant and a time-out meet, the grant wins.
 *
 * <p><b>Memory effects.</b> What was done before a resource was returned is seen by whoever borrows it next.
 *
 * <p><b>Cost.</b> Without waiters, borrowing an idle resource and returning it are a few atomic operations and no lock, and allocate the
 * {@link Borrowed}. A waiter costs one queue node; it leaves the queue in constant time.
 *
 * @param <T> the type of the resources
 */
public final class Pool<T> implements AutoCloseable {
  static {
    PatternInspector.install();
    Selectables.pools(pool -> pool.loans);
  }

  private final int limit;

  /** Who has one of these may have a resource. */
  private final PermitQueue permits;

  private final Workshop<T> workshop;
  private final Loans<T> loans;
  private final AtomicLong timeouts = new AtomicLong();

  private Pool(Builder<T> builder) {
    this.limit = builder.limit;
    // Resources are mostly held while something else is waited for.
    this.permits = new PermitQueue(limit, limit, false);
    this.workshop =
        new Workshop<>(
            permits, builder.maxIdle, builder.factory, builder.healthCheck, builder.destroyer, builder.onFailure);
    this.loans = new Loans<>(this, permits, workshop);
    Ledger.made(this);
  }

  /**
   * A pool of at most {@code limit} resources made by {@code factory}; those that are {@link AutoCloseable} are destroyed by closing
   * them.
   *
   * @param <T> the type of the resources
   * @param limit the most that may exist at a time; at least 1
   * @param factory makes a resource for a borrower who finds none idle
   * @return a pool in which there is nothing yet
   * @throws IllegalArgumentException if {@code limit} is less than 1
   */
  public static <T> Pool<T> of(int limit, Callable<? extends T> factory) {
    return Pool.<T>builder(limit, factory).build();
  }

  /**
   * A pool of at most {@code limit} resources made by {@code factory}, with more to say about it.
   *
   * @param <T> the type of the resources
   * @param limit the most that may exist at a time; at least 1
   * @param factory makes a resource for a borrower who finds none idle
   * @return a builder; everything but limit and factory is as it is by default
   * @throws IllegalArgumentException if {@code limit} is less than 1
   */
  public static <T> Builder<T> builder(int limit, Callable<? extends T> factory) {
    return new Builder<>(limit, factory);
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "db"; other things may have the same name
   * @return this very pool
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public Pool<T> named(String name) {
    permits.probe(Probe.name(permits.probe(), "pool", name, this, Pool::usage));
    return this;
  }

  private Usage usage() {
    return new Usage(permits.available(), permits.held(), permits.waiting());
  }

  // ---- borrowing ----

  /**
   * Borrows a resource: an idle one, a new one if the limit allows, or the next that is returned.
   *
   * @return the loan: close it to give the resource back
   * @throws InterruptedException if the caller is interrupted on entry or while waiting, or the factory or the health check throws it;
   *     nothing is held
   * @throws ClosedException if the pool is closed before something was granted; nothing is held
   * @throws CreationFailedException if the factory threw a checked exception, which is the cause; what it throws unchecked comes as it
   *     is. Nothing is held, and the next in line tries
   */
  public Borrowed<T> acquire() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    Borrowed<T> borrowed = loans.newLoan();
    if (!permits.takeOne()) {
      int outcome = permits.await(1, true, this, true, FOREVER);
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      requireGranted(outcome);
    }
    return loans.lend(borrowed);
  }

  /**
   * Borrows a resource and ignores interrupts while waiting; one that came is pending again on return. See {@link #acquire}; an {@code
   * InterruptedException} of the factory is checked, and so the cause of a {@link CreationFailedException}.
   *
   * @return the loan: close it to give the resource back
   */
  public Borrowed<T> acquireUninterruptibly() {
    SwitchPoints.reach(this);
    Borrowed<T> borrowed = loans.newLoan();
    if (!permits.takeOne()) {
      requireGranted(permits.await(1, true, this, false, FOREVER));
    }
    try {
      return loans.lend(borrowed);
    } catch (InterruptedException ofFactory) {
      throw cutShort(ofFactory);
    }
  }

  /**
   * Borrows a resource if one is idle, or the limit allows a new one; empty if one would have to wait for others. Never waits for
   * others; a factory or a health check takes the time that it takes.
   *
   * @return the loan; empty if one would have to wait
   * @throws ClosedException if the pool is closed
   * @throws CreationFailedException if the factory threw a checked exception; see {@link #acquire}
   */
  public Optional<Borrowed<T>> tryAcquire() {
    SwitchPoints.reach(this);
    Borrowed<T> borrowed = loans.newLoan();
    Optional<Borrowed<T>> success = Optional.of(borrowed);
    if (!permits.tryTake(1)) {
      requireOpen();
      return Optional.empty();
    }
    try {
      loans.lend(borrowed);
      return success;
    } catch (InterruptedException ofFactory) {
      throw cutShort(ofFactory);
    }
  }

  /**
   * Borrows a resource, waiting for others at most {@code timeout}: to the nanosecond; zero or less tries once; more than 292 years
   * waits without a deadline. The time of the factory or the health check comes on top.
   *
   * @param timeout how long to wait for others at most; zero or less tries once
   * @return empty if the time passed first; nothing is held
   * @throws InterruptedException see {@link #acquire}
   * @throws ClosedException if the pool is closed before something was granted; nothing is held
   * @throws CreationFailedException if the factory threw a checked exception; see {@link #acquire}
   */
  public Optional<Borrowed<T>> tryAcquire(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    Borrowed<T> borrowed = loans.newLoan();
    Optional<Borrowed<T>> success = Optional.of(borrowed);
    if (!permits.tryTake(1)) {
      if (nanos == 0) {
        requireOpen();
      }
      int outcome = nanos == 0 ? TIMED_OUT : permits.await(1, false, this, true, nanos);
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      if (outcome == TIMED_OUT) {
        countTimeout();
        return Optional.empty();
      }
      requireGranted(outcome);
    }
    loans.lend(borrowed);
    return success;
  }

  /**
   * Asks for a resource and never blocks; cancelled, it has borrowed none. See {@link #acquireAsync(Duration)}.
   *
   * @return a future that ends with the loan, or with what {@link #acquire} throws
   */
  public CompletableFuture<Borrowed<T>> acquireAsync() {
    return request(FOREVER);
  }

  /**
   * Asks for a resource, waiting for others at most {@code timeout}, and never blocks. The request stands in the same line as those who
   * wait.
   *
   * <p>The future ends with the resource; or with {@link TimeoutException}, {@link ClosedException}, {@link CreationFailedException} or
   * what the factory threw unchecked. If it is cancelled, or completed by anybody else, the request leaves the line, and a resource
   * that came too late goes on to the next. Factory and health check run in a task of their own, and callbacks on the thread that
   * completes the future.
   *
   * @param timeout how long to wait for others at most; zero or less tries once
   * @return a future that ends with the loan; who gets it has to close it
   */
  public CompletableFuture<Borrowed<T>> acquireAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  /**
   * Runs {@code body} with a resource, as {@link #acquire} borrows it, and gives it back however the body ends. A body that finds its
   * resource broken should use {@link #acquire} and {@link Borrowed#evict}. Interrupted while it waits, it has borrowed nothing and
   * {@code body} has not run.
   *
   * @param <R> what the body returns
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to do with the resource, which is its own until it ends
   * @return what {@code body} returned
   * @throws X what {@code body} threw; the resource was given back
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <R extends @Nullable Object, X extends Throwable> R withResource(Use<? super T, R, X> body)
      throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    try (Borrowed<T> borrowed = acquire()) {
      return body.apply(borrowed.get());
    }
  }

  /**
   * Runs {@code body}, which returns nothing, with a resource; like {@link #withResource}, also when it is interrupted.
   *
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to do with the resource, which is its own until it ends
   * @throws X what {@code body} threw; the resource was given back
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; {@code body} has not run
   */
  public <X extends Throwable> void useResource(VoidUse<? super T, X> body) throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    try (Borrowed<T> borrowed = acquire()) {
      body.accept(borrowed.get());
    }
  }

  // ---- giving back ----

  /**
   * Gives back what was borrowed, as {@link Borrowed#close} does; but a mistake is an error.
   *
   * @param borrowed a loan of this pool that has not ended
   * @throws IllegalArgumentException if it was borrowed from another pool; nothing changes
   * @throws IllegalStateException if it was given back, hijacked or evicted before; nothing changes
   */
  public void release(Borrowed<T> borrowed) {
    requireOurs(borrowed);
    if (!giveBack(borrowed)) {
      throw Borrowed.ended("release");
    }
  }

  /**
   * Takes what was borrowed out of the pool; see {@link Borrowed#hijack}. The exceptions are those of {@link #release}.
   *
   * @param borrowed a loan of this pool that has not ended
   * @return the resource, which the caller has to destroy
   */
  public T hijack(Borrowed<T> borrowed) {
    requireOurs(borrowed);
    return cast(loans.takeOut(borrowed).value);
  }

  /**
   * Destroys what was borrowed; see {@link Borrowed#evict}. The exceptions are those of {@link #release}.
   *
   * @param borrowed a loan of this pool that has not ended
   */
  public void evict(Borrowed<T> borrowed) {
    requireOurs(borrowed);
    loans.evict(borrowed);
  }

  boolean giveBack(Borrowed<T> borrowed) {
    return loans.giveBack(borrowed);
  }

  private void requireOurs(Borrowed<T> borrowed) {
    if (borrowed.pool() != this) {
      throw new IllegalArgumentException("This was borrowed from " + borrowed.pool() + ", not from " + this + ".");
    }
  }

  // ---- the end ----

  /**
   * Destroys what is idle now, and returns how many resources that were. They are made anew when they are needed.
   *
   * @return how many were destroyed
   */
  public int evictIdle() {
    SwitchPoints.reach(this);
    return workshop.destroyIdle();
  }

  /**
   * Closes the pool: those who wait and those who come get {@link ClosedException}, idle resources are destroyed before this returns,
   * and what is borrowed is destroyed on its return. Who was granted a resource before keeps it, and who is just making one gets it.
   * Does not wait for what is borrowed. Closing again does nothing. Never throws.
   */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    workshop.close();
  }

  /** {@return whether {@link #close} has been called} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return permits.isClosed();
  }

  // ---- looking ----

  /** {@return the most resources that may exist} */
  public int limit() {
    return limit;
  }

  /** {@return how many wait for a resource} */
  public int waiting() {
    SwitchPoints.reach(this);
    return permits.waiting();
  }

  /**
   * How it is doing. Each figure was true at some moment of the call, and they add up.
   *
   * @return figures that were true at some moment of the call, and add up
   */
  public Stats stats() {
    SwitchPoints.reach(this);
    QueueState queue = permits.state();
    int waiting = permits.waiting();
    long transit = workshop.transit.get();
    long live = Math.max(workshop.live.get(), transit);
    // Who has a permit and is just about to have a resource, or to have had one, counts as little as who waits.
    long withPermit = Math.max(0, transit - workshop.transitWithoutPermit.get());
    long borrowed = Math.max(0, Math.min(queue.held() - withPermit, live - transit));
    return new Stats(
        limit,
        (int) live,
        (int) (live - transit - borrowed),
        (int) borrowed,
        (int) transit,
        waiting,
        workshop.made.get(),
        workshop.notMade.get(),
        workshop.destroyed.get(),
        workshop.hijacked.get(),
        workshop.evicted.get(),
        workshop.expired.get(),
        workshop.unhealthy.get(),
        timeouts.get(),
        queue.closed());
  }

  @Override
  public String toString() {
    String state = workshop.live.get() + " of " + limit + " live" + (permits.isClosed() ? ", closed" : "");
    return "Pool" + Probe.shown(permits.probe()) + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  /**
   * How a pool is doing: {@code live = idle + borrowed + inTransit ≤ limit}. While nothing comes or goes, {@code created = live + destroyed +
   * hijacked}.
   *
   * @param limit the most that may exist
   * @param live resources that exist, or are being made
   * @param idle those that wait to be borrowed
   * @param borrowed those that somebody has; also one whose health is being checked
   * @param inTransit those that are being made or destroyed
   * @param waiting how many wait
   * @param created how many the factory has made, since the pool was made; so are all that follow
   * @param creationFailures how often the factory has thrown
   * @param destroyed how many were destroyed, for whatever reason
   * @param hijacked how many were taken out
   * @param evicted of those that were destroyed, those that a borrower or {@link #evictIdle} has evicted
   * @param expired of those that were destroyed, those that were idle too long
   * @param unhealthy of those that were destroyed, those that failed their health check
   * @param timeouts how often somebody waited in vain
   * @param closed whether the pool is closed
   */
  public record Stats(
      int limit,
      int live,
      int idle,
      int borrowed,
      int inTransit,
      int waiting,
      long created,
      long creationFailures,
      long destroyed,
      long hijacked,
      long evicted,
      long expired,
      long unhealthy,
      long timeouts,
      boolean closed) {}

  // ---- inside ----

  private void requireOpen() {
    if (permits.isClosed()) {
      throw Loans.closed();
    }
  }

  private static void requireGranted(int outcome) {
    if (outcome != GRANTED) {
      throw Loans.closed();
    }
  }

  /** For callers who are not told of interrupts. */
  private static CreationFailedException cutShort(InterruptedException ofFactory) {
    Thread.currentThread().interrupt();
    return new CreationFailedException(ofFactory);
  }

  private CompletableFuture<Borrowed<T>> request(long nanos) {
    SwitchPoints.reach(this);
    LoanRequest<T> request = new LoanRequest<>(this, permits, workshop, loans);
    if (permits.tryTake(1)) {
      return request.grantNow();
    }
    if (nanos == 0 && !permits.isClosed()) {
      return request.expireNow();
    }
    return request.submitted(permits.enqueue(request, false), nanos);
  }

  void countTimeout() {
    timeouts.incrementAndGet();
  }

  /** Who has what, as far as it is known. */
  List<Holding> holdings() {
    return loans.holdings();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only resources of this type are made
  static <T> T cast(Object value) {
    return (T) value;
  }

  // ---- what it is made of ----

  /**
   * Destroys a resource.
   *
   * @param <T> the type of the resources
   */
  @FunctionalInterface
  public interface Destroyer<T> {

    /**
     * Destroys {@code resource}. What it throws goes to the pool's handler.
     *
     * @param resource a resource of the pool, which nobody else has at that time
     * @throws Exception what the handler of the pool gets; the slot is free all the same
     */
    void destroy(T resource) throws Exception;
  }

  /**
   * Tells whether an idle resource can still be used.
   *
   * @param <T> the type of the resources
   */
  @FunctionalInterface
  public interface HealthCheck<T> {

    /**
     * Whether {@code resource} can be used. If it throws, it cannot, and the error goes to the pool's handler; but {@code
     * InterruptedException} says nothing about the resource, and ends the borrower's wait.
     *
     * @param resource a resource of the pool, which nobody else has at that time
     * @return whether it can be lent
     * @throws Exception if the resource cannot be used, for which it is destroyed; but {@link InterruptedException} if the
     *     borrower is to stop
     */
    boolean isHealthy(T resource) throws Exception;
  }

  /**
   * Code that uses a resource and returns a value.
   *
   * @param <T> the resource
   * @param <R> what it returns
   * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
   */
  @FunctionalInterface
  public interface Use<T, R extends @Nullable Object, X extends Throwable> {

    /**
     * Runs the code.
     *
     * @param resource a resource of the pool, which nobody else has at that time
     * @return what the caller of {@link #withResource} gets
     * @throws X what the caller of {@link #withResource} gets
     */
    R apply(T resource) throws X;
  }

  /**
   * Code that uses a resource and returns nothing.
   *
   * @param <T> the resource
   * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
   */
  @FunctionalInterface
  public interface VoidUse<T, X extends Throwable> {

    /**
     * Runs the code.
     *
     * @param resource a resource of the pool, which nobody else has at that time
     * @throws X what the caller of {@link #useResource} gets
     */
    void accept(T resource) throws X;
  }

  /**
   * What there is to say about a pool. Not safe for use by several threads.
   *
   * @param <T> the type of the resources
   */
  public static final class Builder<T> {
    private final int limit;
    private final Callable<? extends T> factory;
    private @Nullable HealthCheck<? super T> healthCheck;
    private Destroyer<? super T> destroyer = Workshop::closeIfPossible;
    private Consumer<? super Throwable> onFailure = Workshop::tell;
    private long maxIdle = FOREVER;

    private Builder(int limit, Callable<? extends T> factory) {
      if (limit < 1) {
        throw new IllegalArgumentException("A pool has at least 1 resource, not " + limit + ".");
      }
      this.limit = limit;
      this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Destroys resources; by default those that are {@link AutoCloseable} are closed, and others forgotten.
     *
     * @param newDestroyer called once for each resource that goes, but for those that are taken out
     * @return this builder
     */
    public Builder<T> destroyer(Destroyer<? super T> newDestroyer) {
      destroyer = Objects.requireNonNull(newDestroyer, "destroyer");
      return this;
    }

    /**
     * Looks at an idle resource before it is lent; one that fails is destroyed and replaced. By default all are taken to be healthy.
     *
     * @param newCheck called by the borrower, before it gets the resource
     * @return this builder
     */
    public Builder<T> healthCheck(HealthCheck<? super T> newCheck) {
      healthCheck = Objects.requireNonNull(newCheck, "healthCheck");
      return this;
    }

    /**
     * Destroys a resource that was idle so long, in a task of its own, by the timer of the world in which it was returned: so a
     * simulation has it happen in virtual time. By default resources may be idle for ever.
     *
     * @param time how long a resource may be idle; positive
     * @return this builder
     * @throws IllegalArgumentException if {@code time} is zero or negative
     */
    public Builder<T> maxIdle(Duration time) {
      Objects.requireNonNull(time, "time");
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException("A resource may be idle for some time at least, not " + time + ".");
      }
      maxIdle = Nanos.of(time);
      return this;
    }

    /**
     * Gets what destroyers and health checks throw, on the thread where they did. By default the uncaught exception handler of that
     * thread does. What the handler itself throws goes there too.
     *
     * @param handler called with each error; must not block for long, since it runs where others wait
     * @return this builder
     */
    public Builder<T> onFailure(Consumer<? super Throwable> handler) {
      onFailure = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * The pool. Nothing is made before somebody needs it.
     *
     * @return a new pool
     */
    public Pool<T> build() {
      return new Pool<>(this);
    }
  }
}
