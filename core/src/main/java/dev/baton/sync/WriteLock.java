// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Watch;
import org.jspecify.annotations.Nullable;

/**
 * The side of an {@link RwLock} that is held alone. It behaves as a {@link Mutex} does: one owner, not reentrant, with
 * conditions, guards and futures. A thread that waits for it while it holds it gets an error instead of a deadlock.
 */
public final class WriteLock extends ExclusiveLock<WriteGuard> {
  private final RwLock rw;

  WriteLock(RwLock rw, PermitQueue queue, long permits) {
    super(queue, permits);
    this.rw = rw;
  }

  @Override
  Object ledgerKey() {
    return rw;
  }

  @Override
  public String toString() {
    return "the write lock of " + rw;
  }

  @Override
  WriteGuard newGuard() {
    return new WriteHold(this);
  }

  ReadLock readLock() {
    return rw.readLock();
  }

  /** Gives up all permits but one; see {@link #release}. */
  boolean downgrade(@Nullable Guard hold) {
    Object who = Watch.used() ? taker() : null;
    boolean downgraded = keepOne(hold);
    if (downgraded && who != null) {
      Taker.over(who);
    }
    return downgraded;
  }

  private boolean keepOne(@Nullable Guard hold) {
    if (!disown(hold)) {
      return false;
    }
    if (permits > 1) {
      queue.giveBack(permits - 1);
    }
    return true;
  }

  /** Takes the permits that a reader does not have yet, before all others; the caller must {@link #own} the lock then. */
  int takeRest(boolean interruptible, long nanos) {
    if (permits == 1 || queue.tryTakeBeforeAll(permits - 1)) {
      return GRANTED;
    }
    Request request = new Request(permits - 1);
    int outcome = queue.enqueueBeforeAll(request);
    return outcome == WAITING ? queue.await(request, rw, interruptible, nanos) : outcome;
  }

  /** Takes the permits that a reader does not have yet if nobody else has one. */
  boolean tryTakeRest() {
    return permits == 1 || queue.tryTakeBeforeAll(permits - 1);
  }

  @Override
  @Nullable String endlessWait(long task) {
    String reason = super.endlessWait(task);
    if (reason == null && rw.upgrades().isHeldBy(task)) {
      return "This thread holds an upgradable guard of " + rw + " and would wait for itself: upgrade that guard instead.";
    }
    if (reason == null && readLock().isKnownToBeHeldBy(task)) {
      return "This thread reads under " + rw + " and would wait for itself: unlock the read lock first, or read by an "
          + "upgradable guard and upgrade that.";
    }
    return reason;
  }
}
