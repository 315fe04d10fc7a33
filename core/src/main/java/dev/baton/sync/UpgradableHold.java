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
import dev.baton.internal.kernel.Nanos;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * One hold of the place to upgrade from, and of a read or the write lock.
 *
 * <pre>
 *   READING ──upgrade──▶ UPGRADING ──granted──▶ UPGRADED ──downgrade──▶ READING
 *                            └──given up──▶ READING            close: from anywhere ──▶ CLOSED
 * </pre>
 *
 * Whoever moves the state owns what the old state held and the new one does not. While UPGRADED, what is held is the write
 * lock if this guard is its guard, and nothing if that was given up otherwise.
 */
final class UpgradableHold extends ReadHold implements UpgradableGuard {
  private static final int READING = 0;
  private static final int UPGRADING = 1;
  private static final int UPGRADED = 2;
  private static final int CLOSED = 3;
  private static final VarHandle STATE = Fields.find(MethodHandles.lookup(), "state", int.class);

  private final RwLock rw;
  private final ReadLock readLock;
  private final WriteLock writeLock;
  private volatile int state = READING;

  UpgradableHold(RwLock rw) {
    this.rw = rw;
    this.readLock = rw.readLock();
    this.writeLock = rw.writeLock();
  }

  /** The calling task has the place and a read. */
  void taken() {
    readLock.holders().add(this, Hosts.currentTaskId());
    Ledger.took(rw, 1);
  }

  @Override
  public void upgrade() throws InterruptedException {
    upgrade(FOREVER);
  }

  @Override
  public boolean upgrade(Duration timeout) throws InterruptedException {
    return upgrade(Nanos.of(timeout));
  }

  @Override
  public boolean tryUpgrade() {
    SwitchPoints.reach(rw);
    return !begin() || end(writeLock.tryTakeRest());
  }

  private boolean upgrade(long nanos) throws InterruptedException {
    SwitchPoints.reach(rw);
    Interrupts.check();
    if (nanos > 0) {
      requireNoOtherRead();
    }
    if (!begin()) {
      return true;
    }
    int outcome = TIMED_OUT;
    boolean open;
    try {
      if (nanos > 0) {
        outcome = takeRest(nanos);
      } else if (writeLock.tryTakeRest()) {
        outcome = GRANTED;
      }
    } finally {
      open = settle(outcome == GRANTED);
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    requireOpen(open);
    return outcome == GRANTED;
  }

  private int takeRest(long nanos) {
    // It waits for the other readers, not for itself, so it is not written down as one of them meanwhile.
    Ledger.gave(rw, 1);
    try {
      return writeLock.takeRest(true, nanos);
    } finally {
      Ledger.took(rw, 1);
    }
  }

  /** True: the caller has to take the other permits now. False: the guard holds the write lock already. */
  private boolean begin() {
    if (STATE.compareAndSet(this, READING, UPGRADING)) {
      return true;
    }
    int now = state;
    if (now == UPGRADED && writeLock.isHeldBy(this)) {
      return false;
    }
    throw new IllegalStateException(
        switch (now) {
          case CLOSED -> "The guard is closed, and holds nothing that could be upgraded: ask for a new one.";
          case UPGRADED -> "The write lock was given up otherwise than by this guard: close it, and ask for a new one.";
          default -> "Another thread is upgrading this guard: use it from one thread at a time.";
        });
  }

  /** The attempt to upgrade has ended so; returns whether the guard holds the write lock. */
  private boolean end(boolean granted) {
    requireOpen(settle(granted));
    return granted;
  }

  private static void requireOpen(boolean open) {
    if (!open) {
      throw new IllegalStateException("The guard was closed while it was being upgraded; nothing is held.");
    }
  }

  /** The attempt to upgrade has ended so. False: the guard was closed meanwhile, and now holds nothing. */
  private boolean settle(boolean granted) {
    if (granted) {
      readLock.holders().remove(this);
      // It has been written down as a holder since it began to read.
      writeLock.own(this);
    }
    boolean open = STATE.compareAndSet(this, UPGRADING, granted ? UPGRADED : READING);
    if (!open) {
      // Closed meanwhile by somebody who left the rest to us.
      letGo(granted ? UPGRADED : READING);
    }
    return open;
  }

  private void requireNoOtherRead() {
    long me = Hosts.currentTaskId();
    if (state == READING && readLock.holders().count(me, this) > 0) {
      throw new IllegalMonitorStateException(
          "This thread reads under " + rw + " otherwise too, and would wait for itself: unlock that read lock first.");
    }
  }

  @Override
  public void downgrade() {
    SwitchPoints.reach(rw);
    if (state != UPGRADED || !writeLock.isHeldBy(this)) {
      throw notUpgraded();
    }
    long task = writeLock.owningTask();
    if (!writeLock.downgrade(this)) {
      throw notUpgraded();
    }
    readLock.holders().add(this, task);
    Ledger.took(rw, 1);
    if (!STATE.compareAndSet(this, UPGRADED, READING)) {
      // Closed meanwhile by somebody who found no write lock to give up: the read is ours.
      readLock.release(this);
      throw notUpgraded();
    }
  }

  private IllegalStateException notUpgraded() {
    return new IllegalStateException("The guard does not hold " + writeLock + ", so it cannot be downgraded.");
  }

  @Override
  public boolean isUpgraded() {
    SwitchPoints.reach(rw);
    return state == UPGRADED && writeLock.isHeldBy(this);
  }

  @Override
  public void close() {
    SwitchPoints.reach(rw);
    letGo((int) STATE.getAndSet(this, CLOSED));
  }

  private void letGo(int was) {
    if (was == CLOSED) {
      // Closed by another thread while the owner waited for a condition, who has got the lock back for this guard since.
      writeLock.release(this);
      return;
    }
    if (was == UPGRADING) {
      return;
    }
    try {
      if (was == UPGRADED) {
        writeLock.release(this);
      } else {
        readLock.release(this);
      }
    } finally {
      rw.upgrades().give();
    }
  }

  @Override
  public String toString() {
    return "UpgradableGuard[" + rw + "]";
  }
}
