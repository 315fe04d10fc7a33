// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.observe.Taker;
import dev.baton.observe.Baton;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The side of an {@link RwLock} that many hold at once.
 *
 * <p>A read lock is a count: nobody knows who has how many, unless {@link Baton#tracking} is on. So {@link #unlock} cannot tell
 * whose read it ends; what is held by a guard is given up by closing that guard, not by {@code unlock}.
 */
public final class ReadLock extends GuardedLock<Guard> {
  private final RwLock rw;
  private final WriteLock writeLock;
  private final ReadHolders holders = new ReadHolders();

  ReadLock(RwLock rw, PermitQueue queue, WriteLock writeLock) {
    super(queue, 1);
    this.rw = rw;
    this.writeLock = writeLock;
  }

  /**
   * Takes the lock, ignoring interrupts while waiting; one that came is pending again on return.
   *
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the write lock, an upgradable
   *     guard or, as far as that is {@linkplain Baton#tracking tracked}, a read lock already
   */
  @Override
  public void lock() {
    SwitchPoints.reach(ledgerKey());
    if (!queue.takeOne()) {
      await(Hosts.currentTaskId(), false, FOREVER);
    }
    taken(Hosts.currentTaskId());
  }

  /**
   * Takes the lock, waiting for it if need be.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the write lock, an upgradable
   *     guard or, as far as that is {@linkplain Baton#tracking tracked}, a read lock already
   */
  @Override
  public void lockInterruptibly() throws InterruptedException {
    SwitchPoints.reach(ledgerKey());
    Interrupts.check();
    if (takeFor(FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    taken(Hosts.currentTaskId());
  }

  /** Takes the lock if nobody writes or waits and it is not held the most times it can be. Never blocks. */
  @Override
  public boolean tryLock() {
    SwitchPoints.reach(ledgerKey());
    if (!queue.tryTake(1)) {
      return false;
    }
    taken(Hosts.currentTaskId());
    return true;
  }

  @Override
  boolean tryLockFor(long nanos) throws InterruptedException {
    SwitchPoints.reach(ledgerKey());
    Interrupts.check();
    int outcome = takeFor(nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT) {
      return false;
    }
    taken(Hosts.currentTaskId());
    return true;
  }

  /**
   * Gives one read up; the thread that locked should be the one to unlock, but that is not checked.
   *
   * <p>So one unlock too many ends the read of somebody else, if there is one. Beside a writer it is refused, also while the lock is handed
   * over to one that has waited. It is not noticed at the instant at which a writer takes the lock without having waited, or gives it up; nor
   * while the lock is handed over where {@linkplain RwLock#withMaxReaders at most} one may read, or to an upgrade where at most two may.
   *
   * @throws IllegalMonitorStateException if nobody reads, as is the case while somebody writes; nothing changes
   */
  @Override
  public void unlock() {
    SwitchPoints.reach(ledgerKey());
    if (!release(null)) {
      throw new IllegalMonitorStateException("Nobody holds " + this + ", so it cannot be unlocked.");
    }
  }

  /**
   * Readers have no conditions: while one waits, the others would still keep the writer out who could signal it.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A read lock has no conditions: use those of the write lock.");
  }

  @Override
  public String toString() {
    return "the read lock of " + rw;
  }

  // ---- for guards ----

  /** Takes a read, interruptibly; GRANTED, INTERRUPTED or TIMED_OUT. The caller has to say who holds it. */
  int takeFor(long nanos) {
    if (nanos <= 0) {
      return queue.tryTake(1) ? GRANTED : TIMED_OUT;
    }
    return queue.takeOne() ? GRANTED : await(Hosts.currentTaskId(), true, nanos);
  }

  /** Whether a read could be taken now. */
  boolean looksFree() {
    return queue.available() > 0;
  }

  /** Gives up the read that {@code hold} holds, or one of the calling task's own if that is null. False: nobody reads; nothing has changed. */
  boolean release(@Nullable ReadHold hold) {
    // While somebody writes there is a permit that could be given, but it is not a reader's.
    if (writeLock.hasOwner()) {
      return false;
    }
    if (holders.used()) {
      if (hold == null) {
        holders.remove(Hosts.currentTaskId());
      } else {
        holders.remove(hold);
      }
    }
    boolean given = true;
    try {
      given = queue.giveOne();
    } finally {
      if (given) {
        Ledger.gave(ledgerKey(), 1);
      }
    }
    return given;
  }

  @Override
  ReadGuard newGuard() {
    return new ReadGuard(this, holders.own(Hosts.currentTaskId()));
  }

  @Override
  void heldBy(Guard guard) {
    // Not by asking whether tracking is on: it may have been turned on or off since the read was taken.
    long me = Hosts.currentTaskId();
    if (holders.own(me) > ((ReadGuard) guard).readsBefore) {
      holders.handTo((ReadGuard) guard, me);
    }
    ((ReadGuard) guard).timed = timedFromNow();
  }

  /** {@code guard} holds a read of {@code task}, which is not written down yet. */
  void heldBy(ReadGuard guard, long task) {
    holders.add(guard, task);
    guard.timed = timedFromNow();
    Ledger.took(ledgerKey(), 1);
  }

  @Override
  void grantedTo(Guard guard) {
    // A read of no task: nobody to write down.
    ((ReadGuard) guard).timed = timedFromNow();
    Ledger.tookAsync(ledgerKey(), 1);
  }

  /** A read has just been taken of which it is known when it ends. */
  @Override
  @Nullable Object timedFromNow() {
    Object timed = Taker.timedOnly(queue.probe());
    Taker.begun(timed);
    return timed;
  }

  // ---- who reads ----

  ReadHolders holders() {
    return holders;
  }

  /** Whether {@code task} was written down as reading. */
  boolean isKnownToBeHeldBy(long task) {
    return holders.count(task, null) > 0;
  }

  @Override
  void taken(long me) {
    holders.add(me);
    Ledger.took(ledgerKey(), 1);
  }

  @Override
  Object ledgerKey() {
    return rw;
  }

  @Override
  @Nullable String endlessWait(long task) {
    if (writeLock.isHeldBy(task)) {
      return "This thread holds " + writeLock + " and would wait for itself: downgrade it, or unlock it first.";
    }
    if (rw.upgrades().isHeldBy(task) || isKnownToBeHeldBy(task)) {
      return "This thread reads under " + rw + " already and would have to wait behind others, who wait for it to stop "
          + "reading: read once and pass on what was read, it is not reentrant.";
    }
    return null;
  }
}
