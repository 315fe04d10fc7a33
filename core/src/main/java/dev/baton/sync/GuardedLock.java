// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.select.Selectables;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is some number of permits of a queue, and the ways to hold it other than by a thread's own lock and unlock.
 *
 * @param <G> what it is held by
 */
abstract class GuardedLock<G extends Guard> implements Lock {
  static {
    SyncInspector.install();
    Selectables.locks(
        new Selectables.Locks() {
          @Override
          public PermitQueue queue(Lock lock) {
            return ((GuardedLock<?>) lock).queue;
          }

          @Override
          public Object whole(Lock lock) {
            return ((GuardedLock<?>) lock).ledgerKey();
          }

          @Override
          public long permits(Lock lock) {
            return ((GuardedLock<?>) lock).permits;
          }

          @Override
          public boolean tryTake(Lock lock) {
            return ((GuardedLock<?>) lock).tryTake();
          }

          @Override
          public @Nullable String endlessWait(Lock lock, long task) {
            return ((GuardedLock<?>) lock).endlessWait(task);
          }

          @Override
          public Guard taken(Lock lock) {
            return ((GuardedLock<?>) lock).takenByGuard();
          }
        });
  }

  final PermitQueue queue;

  /** How many permits of the queue the lock is. */
  final long permits;

  GuardedLock(PermitQueue queue, long permits) {
    this.queue = queue;
    this.permits = permits;
  }

  // ---- taking and waiting, for those who extend this ----

  /** Takes the lock if it is free and nobody waits. False: the demand is registered if {@link #registers}. */
  final boolean take() {
    // A branch, not an overridden method: it costs nothing beside the atomic operation, whoever calls.
    return registers() ? queue.takeOne() : queue.takeAll(permits);
  }

  /** Takes the lock if it is free and nobody waits; otherwise changes nothing. */
  final boolean tryTake() {
    return registers() ? queue.tryTake(1) : queue.takeAll(permits);
  }

  /** Whether {@link #take} has registered the demand when it returns false: a single permit is taken by an add. */
  final boolean registers() {
    return permits == 1;
  }

  /** Waits for a lock that {@link #take} did not get; refused if it would be waiting for itself. */
  final int await(long me, boolean interruptible, long nanos) {
    String reason = endlessWait(me);
    if (reason != null) {
      if (registers()) {
        queue.withdraw(1);
      }
      throw new IllegalMonitorStateException(reason);
    }
    return queue.await(permits, registers(), ledgerKey(), interruptible, nanos);
  }

  /** The primitive that is held and waited for: the lock itself, or what it is one side of. */
  Object ledgerKey() {
    return this;
  }

  /** Why {@code task} would wait for this lock for ever, as far as that is known; null if it is not. */
  abstract @Nullable String endlessWait(long task);

  /** Takes the lock for the calling task, waiting at most {@code nanos}. */
  abstract boolean tryLockFor(long nanos) throws InterruptedException;

  /** The calling task has just been granted the lock; it holds it by the guard that is returned. */
  private G takenByGuard() {
    G guard = newGuard();
    taken(Hosts.currentTaskId());
    heldBy(guard);
    return guard;
  }

  /** The calling task, whose number is {@code me}, has just taken the lock. */
  abstract void taken(long me);

  /** A guard that does not hold the lock yet. */
  abstract G newGuard();

  /** The calling task, which has just taken the lock, holds it by {@code guard} from now on. */
  abstract void heldBy(G guard);

  /** The lock was granted to {@code guard}, and to no task. */
  abstract void grantedTo(G guard);

  /**
   * The lock was taken for a body: who wants to know how long it takes, if the lock does not tell by itself when it is given up. By default
   * it does.
   */
  @Nullable Object timedFromNow() {
    return null;
  }

  // ---- the same for every lock ----

  /**
   * Takes the lock, waiting at most so long; see {@link #tryLock(Duration)}.
   *
   * @param time how long, in {@code unit}; zero or less tries once
   * @param unit what {@code time} is counted in
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself
   */
  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLockFor(unit.toNanos(time));
  }

  /**
   * Takes the lock, waiting at most {@code timeout}: to the nanosecond; zero or less tries once; more than 292 years waits
   * without a deadline.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself
   */
  public boolean tryLock(Duration timeout) throws InterruptedException {
    return tryLockFor(Nanos.of(timeout));
  }

  /**
   * Takes the lock as {@link #lockInterruptibly} does; closing the guard gives it up.
   *
   * @return what holds the lock; any thread may close it
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself
   */
  public G guard() throws InterruptedException {
    G taken = newGuard();
    lockInterruptibly();
    heldBy(taken);
    return taken;
  }

  /**
   * Takes the lock as {@link #tryLock(Duration)} does; closing the guard gives it up.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return what holds the lock; any thread may close it
   * @throws TimeoutException if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself
   */
  public G guard(Duration timeout) throws InterruptedException, TimeoutException {
    G taken = newGuard();
    if (!tryLock(timeout)) {
      throw new TimeoutException("Waited " + timeout + " for " + this + "; nothing is held.");
    }
    heldBy(taken);
    return taken;
  }

  /**
   * Takes the lock if it is free. Never blocks; empty also if it is the caller who is in the way.
   *
   * @return what holds the lock; empty if nothing was taken
   */
  public Optional<G> tryGuard() {
    G taken = newGuard();
    Optional<G> guarded = Optional.of(taken);
    if (!tryLock()) {
      return Optional.empty();
    }
    heldBy(taken);
    return guarded;
  }

  /**
   * Runs {@code body} with the lock held, as {@link #lockInterruptibly} takes it, and gives it up however the body ends.
   *
   * @param <T> what the body returns
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile
   * @return what {@code body} returned
   * @throws X what {@code body} threw; the lock was given up
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the body has not run
   * @throws IllegalMonitorStateException if the caller would have to wait for itself; the body has not run
   */
  public <T extends @Nullable Object, X extends Throwable> T withLock(Body<T, X> body)
      throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    lockInterruptibly();
    Object timed = timedFromNow();
    try {
      return body.run();
    } finally {
      unlock();
      Taker.over(timed);
    }
  }

  /**
   * Runs {@code body} with the lock held, as {@link #lockInterruptibly} takes it, and gives it up however the body ends.
   *
   * @param <X> what the body may throw; inferred, so checked exceptions pass through as they are
   * @param body what to run meanwhile
   * @throws X what {@code body} threw; the lock was given up
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the body has not run
   * @throws IllegalMonitorStateException if the caller would have to wait for itself; the body has not run
   */
  public <X extends Throwable> void withLock(VoidBody<X> body) throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    lockInterruptibly();
    Object timed = timedFromNow();
    try {
      body.run();
    } finally {
      unlock();
      Taker.over(timed);
    }
  }

  /**
   * Asks for the lock; see {@link #lockAsync(Duration)}.
   *
   * @return a future that ends with a guard that owns the lock; cancelled, it has taken nothing
   */
  public CompletableFuture<G> lockAsync() {
    return request(FOREVER);
  }

  /**
   * Asks for the lock, for at most {@code timeout}, and never blocks. The request stands in the same queue as blocking ones.
   *
   * <p>The future ends with a guard that owns the lock and may be closed by any thread, or with {@link TimeoutException}. If
   * it is cancelled, or completed by anybody else, the request leaves the queue and a lock granted too late goes on to the
   * next. Callbacks run on the thread that completes the future: one that unlocks, mostly, but also one whose own wait ends early
   * and lets this one be served. A thread that holds the lock and waits for such a future waits for itself.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with a guard; who gets it has to close it
   */
  public CompletableFuture<G> lockAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  private CompletableFuture<G> request(long nanos) {
    SwitchPoints.reach(ledgerKey());
    GuardRequest request = new GuardRequest(newGuard());
    if (nanos > 0) {
      return take() ? request.grantNow() : request.submitted(queue.enqueue(request, registers()), nanos);
    }
    return tryTake() ? request.grantNow() : request.expireNow();
  }

  private final class GuardRequest extends AsyncRequest<G> {
    private final G taken;

    GuardRequest(G taken) {
      super(queue, permits);
      this.taken = taken;
    }

    @Override
    protected Object primitive() {
      return ledgerKey();
    }

    /** The guard owns the lock before anybody can see it. */
    @Override
    protected G value() {
      grantedTo(taken);
      return taken;
    }

    @Override
    protected void giveBack() {
      taken.close();
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A lock is never closed, yet a request for one ended with outcome " + outcome + ".");
    }
  }
}
