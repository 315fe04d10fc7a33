// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A fair lock: handed over in the order in which it was asked for.
 *
 * {@snippet :
 * Mutex mutex = new Mutex();
 * try (Guard guard = mutex.guard()) {
 *   // one at a time
 * }
 * }
 *
 * <p><b>Order.</b> Strictly first in, first out; on its way from one owner to the next the lock is never free, so a
 * newcomer cannot overtake, not even by {@link #tryLock()}.
 *
 * <p><b>Owner.</b> The lock belongs to the thread that took it, and only that thread may {@link #unlock} it; one taken by
 * {@link #lockAsync} belongs to its {@link Guard}. It is not reentrant: a thread that waits for the lock it holds gets an
 * error instead of a deadlock.
 *
 * <p><b>Cancellation.</b> Every wait but {@link #lock} ends on interrupt, holding nothing; the next in line is not affected.
 *
 * <p><b>Memory effects.</b> What a thread did before unlocking is seen by whoever locks next.
 *
 * <p><b>Cost.</b> Without waiters, locking and unlocking are one atomic add each; nothing is allocated.
 */
public final class Mutex implements Lock {
  private static final long NOBODY = 0;
  private static final long A_GUARD = Long.MIN_VALUE;
  private static final VarHandle OWNER = Fields.find(MethodHandles.lookup(), "owner", long.class);
  private static final VarHandle GUARD = Fields.find(MethodHandles.lookup(), "guard", MutexGuard.class);

  private final PermitQueue queue = new PermitQueue(1, 1);

  /**
   * The number of the task that holds the lock, negative if it does so by a guard; {@link #A_GUARD} if no task but a guard
   * does; {@link #NOBODY} while it is free or being handed over. Written only by the one who has just got the lock or is about
   * to give it up: a task that reads its own number here really is the owner. A number, because storing a reference costs a
   * barrier of the garbage collector.
   */
  private long owner;

  /** The guard the lock is held by, if it is. Whoever takes it away from here gives the lock up, and nobody else. */
  private @Nullable MutexGuard guard;

  /** An unlocked mutex. */
  public Mutex() {}

  /**
   * Takes the lock, ignoring interrupts while waiting; one that came is pending again on return.
   *
   * @throws IllegalMonitorStateException if the caller holds it already
   */
  @Override
  public void lock() {
    SwitchPoints.reach(this);
    long me = Hosts.currentTaskId();
    if (!queue.takeOne()) {
      await(me, false, FOREVER);
    }
    setOwner(me);
  }

  /**
   * Takes the lock, waiting for it if need be.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller holds it already
   */
  @Override
  public void lockInterruptibly() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    long me = Hosts.currentTaskId();
    if (!queue.takeOne() && await(me, true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    setOwner(me);
  }

  /** Takes the lock if it is free. Never blocks; false also if the caller holds it already. */
  @Override
  public boolean tryLock() {
    SwitchPoints.reach(this);
    if (!queue.tryTake(1)) {
      return false;
    }
    setOwner(Hosts.currentTaskId());
    return true;
  }

  /**
   * Takes the lock, waiting at most so long; see {@link #tryLock(Duration)}.
   *
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller holds it already and would have to wait
   */
  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLock(unit.toNanos(time));
  }

  /**
   * Takes the lock, waiting at most {@code timeout}: to the nanosecond; zero or less tries once; more than 292 years waits
   * without a deadline.
   *
   * @return false if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller holds it already and would have to wait
   */
  public boolean tryLock(Duration timeout) throws InterruptedException {
    return tryLock(Nanos.of(timeout));
  }

  private boolean tryLock(long nanos) throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    long me = Hosts.currentTaskId();
    if (nanos <= 0) {
      if (!queue.tryTake(1)) {
        return false;
      }
    } else if (!queue.takeOne()) {
      int outcome = await(me, true, nanos);
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      if (outcome == TIMED_OUT) {
        return false;
      }
    }
    setOwner(me);
    return true;
  }

  /**
   * Gives the lock up; the first in line has it at once.
   *
   * @throws IllegalMonitorStateException if the caller does not hold it; nothing changes
   */
  @Override
  public void unlock() {
    SwitchPoints.reach(this);
    if (!release(requireHeld())) {
      throw notHeld();
    }
  }

  /**
   * Takes the lock as {@link #lockInterruptibly} does; closing the guard gives it up.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller holds it already
   */
  public Guard guard() throws InterruptedException {
    MutexGuard taken = new MutexGuard(this);
    lockInterruptibly();
    heldBy(taken);
    return taken;
  }

  /**
   * Takes the lock as {@link #tryLock(Duration)} does; closing the guard gives it up.
   *
   * @throws TimeoutException if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller holds it already
   */
  public Guard guard(Duration timeout) throws InterruptedException, TimeoutException {
    MutexGuard taken = new MutexGuard(this);
    if (!tryLock(timeout)) {
      throw new TimeoutException("Waited " + timeout + " for " + this + "; nothing is held.");
    }
    heldBy(taken);
    return taken;
  }

  /** Takes the lock if it is free. Never blocks; empty also if the caller holds it already. */
  public Optional<Guard> tryGuard() {
    MutexGuard taken = new MutexGuard(this);
    Optional<Guard> guarded = Optional.of(taken);
    if (!tryLock()) {
      return Optional.empty();
    }
    heldBy(taken);
    return guarded;
  }

  /**
   * Runs {@code body} with the lock held, as {@link #lockInterruptibly} takes it, and gives it up however the body ends.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the body has not run
   * @throws IllegalMonitorStateException if the caller holds the lock already
   */
  public <T extends @Nullable Object, X extends Throwable> T withLock(Body<T, X> body)
      throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    lockInterruptibly();
    try {
      return body.run();
    } finally {
      unlock();
    }
  }

  /**
   * Runs {@code body} with the lock held, as {@link #lockInterruptibly} takes it, and gives it up however the body ends.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the body has not run
   * @throws IllegalMonitorStateException if the caller holds the lock already
   */
  public <X extends Throwable> void withLock(VoidBody<X> body) throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    lockInterruptibly();
    try {
      body.run();
    } finally {
      unlock();
    }
  }

  /** Asks for the lock; see {@link #lockAsync(Duration)}. */
  public CompletableFuture<Guard> lockAsync() {
    return request(FOREVER);
  }

  /**
   * Asks for the lock, for at most {@code timeout}, and never blocks. The request stands in the same queue as blocking ones.
   *
   * <p>The future ends with a guard that owns the lock and may be closed by any thread, or with {@link TimeoutException}. If
   * it is cancelled, or completed by anybody else, the request leaves the queue and a lock granted too late goes on to the
   * next. Callbacks run on the thread that completes the future: one that unlocks, mostly, but also one whose own wait ends early
   * and lets this one be served. A thread that holds the lock and waits for such a future waits for itself.
   */
  public CompletableFuture<Guard> lockAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  /**
   * A condition of this lock. Waiters are signalled, and then get the lock, in the order in which they came. A waiter that is
   * interrupted or times out leaves with the lock held again, as {@link Condition} says, and a signal it did not take goes to
   * the next.
   */
  @Override
  public Condition newCondition() {
    return new MutexCondition(this);
  }

  /** Whether somebody holds the lock; stays true while it is handed over. */
  public boolean isLocked() {
    SwitchPoints.reach(this);
    return queue.available() == 0;
  }

  /** Whether the calling thread holds the lock. */
  public boolean isHeldByCurrentThread() {
    SwitchPoints.reach(this);
    return isHeldBy(Hosts.currentTaskId());
  }

  /** How many wait for the lock. */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting();
  }

  @Override
  public String toString() {
    String state = queue.available() > 0 ? "unlocked" : "locked" + describeOwner();
    return "Mutex@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  // ---- for guards and conditions ----

  /** The guard by which the calling task holds the lock, or null if it holds it without one. */
  @Nullable MutexGuard requireHeld() {
    long me = Hosts.currentTaskId();
    long holder = owner;
    if (holder == me) {
      return null;
    }
    MutexGuard hold = guard;
    if (holder != -me || hold == null) {
      throw notHeld();
    }
    return hold;
  }

  /** Gives up a lock held by {@code hold}, or without a guard if that is null. False: that guard does not hold it any more. */
  boolean release(@Nullable MutexGuard hold) {
    // Compare-and-set: two threads may close one guard, and only one of them gives the lock up.
    if (hold != null && !GUARD.compareAndSet(this, hold, null)) {
      return false;
    }
    setOwner(NOBODY);
    queue.giveOne();
    return true;
  }

  /** The lock was granted again to the calling task, after a wait that began with {@code hold}. */
  void regained(@Nullable MutexGuard hold) {
    setOwner(Hosts.currentTaskId());
    if (hold != null) {
      heldBy(hold);
    }
  }

  /** Takes the lock again as it was held before, ignoring interrupts. */
  void relock(@Nullable MutexGuard hold) {
    if (!queue.takeOne()) {
      queue.await(1, true, this, false, FOREVER);
    }
    regained(hold);
  }

  /** Lets a task that was signalled stand in line for the lock, which the caller holds. */
  void enqueue(Request request) {
    if (queue.enqueue(request, false) == GRANTED) {
      // Free after all: somebody else has closed the guard of the one who signals.
      request.decide(GRANTED);
      request.wake();
    }
  }

  /** Gives up a place in line, or the lock if it came first. */
  void leave(Request request) {
    queue.leave(request);
  }

  // ---- inside ----

  private void setOwner(long number) {
    // Release, not volatile: the atomic add beside it orders it for whoever takes the lock; others only look.
    OWNER.setRelease(this, number);
  }

  /** The calling task, which holds the lock, holds it by {@code hold} from now on. */
  private void heldBy(MutexGuard hold) {
    setGuard(hold);
    setOwner(-Hosts.currentTaskId());
  }

  private void setGuard(@Nullable MutexGuard hold) {
    GUARD.setRelease(this, hold);
  }

  private int await(long me, boolean interruptible, long nanos) {
    if (isHeldBy(me)) {
      queue.withdraw(1);
      throw new IllegalMonitorStateException(
          "This thread holds " + this + " already, and waiting for it would never end: a Mutex is not reentrant.");
    }
    return queue.await(1, true, this, interruptible, nanos);
  }

  private CompletableFuture<Guard> request(long nanos) {
    SwitchPoints.reach(this);
    GuardRequest request = new GuardRequest(new MutexGuard(this));
    if (nanos > 0) {
      return queue.takeOne() ? request.grantNow() : request.submitted(queue.enqueue(request, true), nanos);
    }
    return queue.tryTake(1) ? request.grantNow() : request.expireNow();
  }

  private boolean isHeldBy(long task) {
    long holder = (long) OWNER.getAcquire(this);
    // A guard that somebody else is just closing holds the lock no more.
    return holder == task || (holder == -task && GUARD.getAcquire(this) != null);
  }

  private IllegalMonitorStateException notHeld() {
    return new IllegalMonitorStateException("This thread does not hold " + this + ": only the owner may do this.");
  }

  private String describeOwner() {
    long holder = (long) OWNER.getAcquire(this);
    if (holder == NOBODY) {
      return "";
    }
    return holder == A_GUARD ? " by a guard" : " by thread #" + Math.abs(holder);
  }

  private final class GuardRequest extends AsyncRequest<Guard> {
    private final MutexGuard taken;

    GuardRequest(MutexGuard taken) {
      super(queue, 1);
      this.taken = taken;
    }

    /** The guard owns the lock before anybody can see it. */
    @Override
    protected Guard value() {
      setGuard(taken);
      setOwner(A_GUARD);
      return taken;
    }

    @Override
    protected void giveBack() {
      taken.close();
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A mutex is never closed, yet a request ended with outcome " + outcome + ".");
    }
  }
}
