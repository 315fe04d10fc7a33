// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Watch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A lock with one owner: all the permits of a queue, be that one or many.
 *
 * @param <G> what it is held by
 */
abstract class ExclusiveLock<G extends Guard> extends GuardedLock<G> {
  private static final long NOBODY = 0;
  private static final long A_GUARD = Long.MIN_VALUE;
  private static final long THE_NEXT = Long.MIN_VALUE + 1;
  private static final VarHandle OWNER = Fields.find(MethodHandles.lookup(), "owner", long.class);
  private static final VarHandle GUARD = Fields.find(MethodHandles.lookup(), "guard", Guard.class);

  /**
   * The number of the task that holds the lock, negative if it does so by a guard; {@link #A_GUARD} if no task but a guard
   * does; {@link #NOBODY} while it is free; either that or {@link #THE_NEXT} while it is being handed over. Written only by the one
   * who has just got the lock, is about to give it up, or hands it over: a task that reads its own number here really is the owner. A
   * number, because storing a reference costs a barrier of the garbage collector.
   */
  private long owner;

  /** The guard the lock is held by, if it is. Whoever takes it away from here gives the lock up, and nobody else. */
  private @Nullable Guard guard;

  /** Who holds the lock by its number, if that is written down. Written before the number, taken away before the lock is given. */
  private @Nullable Object taker;

  ExclusiveLock(PermitQueue queue, long permits) {
    super(queue, permits);
  }

  /**
   * Takes the lock, ignoring interrupts while waiting; one that came is pending again on return.
   *
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the lock already
   */
  @Override
  public void lock() {
    SwitchPoints.reach(ledgerKey());
    // Who asks is looked up after the attempt: an atomic operation waits for the loads before it.
    if (!take()) {
      await(Hosts.currentTaskId(), false, FOREVER);
    }
    taken(Hosts.currentTaskId());
  }

  /**
   * Takes the lock, waiting for it if need be.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the lock already
   */
  @Override
  public void lockInterruptibly() throws InterruptedException {
    SwitchPoints.reach(ledgerKey());
    Interrupts.check();
    if (!take() && await(Hosts.currentTaskId(), true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    taken(Hosts.currentTaskId());
  }

  /** Takes the lock if it is free. Never blocks; false also if the caller holds it already. */
  @Override
  public boolean tryLock() {
    SwitchPoints.reach(ledgerKey());
    if (!tryTake()) {
      return false;
    }
    taken(Hosts.currentTaskId());
    return true;
  }

  @Override
  final boolean tryLockFor(long nanos) throws InterruptedException {
    SwitchPoints.reach(ledgerKey());
    Interrupts.check();
    long me = Hosts.currentTaskId();
    if (nanos <= 0) {
      if (!tryTake()) {
        return false;
      }
    } else if (!take()) {
      int outcome = await(me, true, nanos);
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      if (outcome == TIMED_OUT) {
        return false;
      }
    }
    taken(me);
    return true;
  }

  /**
   * Gives the lock up; the first in line has it at once.
   *
   * @throws IllegalMonitorStateException if the caller does not hold it; nothing changes
   */
  @Override
  public void unlock() {
    SwitchPoints.reach(ledgerKey());
    if (!release(requireHeld())) {
      throw notHeld();
    }
  }

  /**
   * A condition of this lock. Waiters are signalled, and then get the lock, in the order in which they came. A waiter that is
   * interrupted or times out leaves with the lock held again, as {@link Condition} says, and a signal it did not take goes to
   * the next.
   */
  @Override
  public Condition newCondition() {
    return new ExclusiveCondition(this);
  }

  /** {@return whether the calling thread holds the lock} */
  public boolean isHeldByCurrentThread() {
    SwitchPoints.reach(ledgerKey());
    return isHeldBy(Hosts.currentTaskId());
  }

  // ---- for guards and conditions ----

  /** The guard by which the calling task holds the lock, or null if it holds it without one. */
  final @Nullable Guard requireHeld() {
    long me = Hosts.currentTaskId();
    long holder = owner;
    if (holder == me) {
      return null;
    }
    Guard hold = guard;
    if (holder != -me || hold == null) {
      throw notHeld();
    }
    return hold;
  }

  /** Gives up a lock held by {@code hold}, or without a guard if that is null. False: that guard does not hold it any more. */
  final boolean release(@Nullable Guard hold) {
    // Read before: after that it is the next owner's.
    Object who = Watch.used() ? taker : null;
    if (!disown(hold)) {
      return false;
    }
    if (registers()) {
      queue.giveOne();
    } else {
      queue.giveAll(permits);
    }
    if (who != null) {
      Taker.over(who);
    }
    return true;
  }

  /** The lock has no owner any more; the permits are still to be given. False: {@code hold} does not hold it. */
  final boolean disown(@Nullable Guard hold) {
    // Compare-and-set: two threads may close one guard, and only one of them gives the lock up.
    if (hold != null && !GUARD.compareAndSet(this, hold, null)) {
      return false;
    }
    setOwner(NOBODY);
    if (Watch.used() && taker != null) {
      taker = null;
    }
    Ledger.gave(ledgerKey(), 1);
    return true;
  }

  /** The lock was granted again to the calling task, after a wait that began with {@code hold}. */
  final void regained(@Nullable Guard hold) {
    taken(Hosts.currentTaskId());
    if (hold != null) {
      own(hold);
    }
  }

  /** Takes the lock again as it was held before, ignoring interrupts. */
  final void relock(@Nullable Guard hold) {
    if (!take()) {
      queue.await(permits, registers(), ledgerKey(), false, FOREVER);
    }
    regained(hold);
  }

  /** Lets a task that was signalled stand in line for the lock, which the caller holds. */
  final void enqueue(Request request) {
    if (queue.enqueue(request, false) == GRANTED) {
      // Free after all: somebody else has closed the guard of the one who signals.
      request.decide(GRANTED);
      request.wake();
    }
  }

  /** Gives up a place in line, or the lock if it came first. */
  final void leave(Request request) {
    queue.leave(request);
  }

  // ---- the owner ----

  @Override
  final void heldBy(G hold) {
    own(hold);
  }

  @Override
  final void grantedTo(G hold) {
    if (Watch.isTimed()) {
      Object timed = Taker.timedOnly(queue.probe());
      Taker.begun(timed);
      taker = timed;
    }
    GUARD.setRelease(this, hold);
    setOwner(A_GUARD);
    Ledger.tookAsync(ledgerKey(), 1);
  }

  /** The calling task, which has all permits, holds the lock by {@code hold} from now on. */
  final void own(Guard hold) {
    writeDown();
    GUARD.setRelease(this, hold);
    setOwner(-Hosts.currentTaskId());
  }

  @Override
  final void taken(long me) {
    writeDown();
    setOwner(me);
    Ledger.took(ledgerKey(), 1);
  }

  /** The lock was granted to one who waits, and who will say so itself when it goes on. Called under the lock of the queue. */
  final void handedOver() {
    setOwner(THE_NEXT);
  }

  /** The one to whom it was handed over does not take it. */
  final void handedBack() {
    setOwner(NOBODY);
  }

  /** Who holds the lock, if that is written down. */
  final @Nullable Object taker() {
    return taker;
  }

  private void writeDown() {
    // Once is enough: a lock held by a guard has been taken before.
    if (Watch.seesHolds() && taker == null) {
      Object who = Taker.of(queue.probe());
      Taker.begun(who);
      taker = who;
    }
  }

  private void setOwner(long number) {
    // Release, not volatile: the atomic operation beside it orders it for whoever takes the lock; others only look.
    OWNER.setRelease(this, number);
  }

  /** Whether {@code hold} holds the lock. */
  final boolean isHeldBy(Guard hold) {
    return GUARD.getAcquire(this) == hold;
  }

  final boolean isHeldBy(long task) {
    long holder = (long) OWNER.getAcquire(this);
    // A guard that somebody else is just closing holds the lock no more.
    return holder == task || (holder == -task && GUARD.getAcquire(this) != null);
  }

  /** Whether somebody has the lock and has said so, or whoever handed it over has. */
  final boolean hasOwner() {
    return (long) OWNER.getAcquire(this) != NOBODY;
  }

  /** The number of the task that holds the lock, with or without a guard; 0 if none does. */
  final long owningTask() {
    long holder = (long) OWNER.getAcquire(this);
    return holder == A_GUARD || holder == THE_NEXT ? NOBODY : Math.abs(holder);
  }

  /** Who holds the lock; empty while it is free or being handed over. */
  final List<Holding> holdings() {
    long holder = (long) OWNER.getAcquire(this);
    if (holder == NOBODY || holder == THE_NEXT) {
      return List.of();
    }
    return List.of(
        holder == A_GUARD
            ? Holding.unknown(0, "held by a guard of lockAsync, for no task")
            : Holding.by(Math.abs(holder), taker, 0));
  }

  @Override
  @Nullable String endlessWait(long task) {
    return isHeldBy(task)
        ? "This thread holds " + this + " already, and waiting for it would never end: it is not reentrant."
        : null;
  }

  final IllegalMonitorStateException notHeld() {
    return new IllegalMonitorStateException("This thread does not hold " + this + ": only the owner may do this.");
  }

  final String describeOwner() {
    long holder = (long) OWNER.getAcquire(this);
    if (holder == NOBODY || holder == THE_NEXT) {
      return "";
    }
    return holder == A_GUARD ? " by a guard" : " by thread #" + Math.abs(holder);
  }
}
