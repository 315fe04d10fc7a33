// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.RequestList;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The condition of an {@link ExclusiveLock}. A wait is one request for the lock that stands first in this condition's list
 * and then, once signalled, in the lock's own queue: a signal wakes nobody before the lock is there for it.
 *
 * <pre>
 *   LISTED ──signal──▶ SIGNALLED ──pump──▶ lock granted
 *      └──interrupt or time-out──▶ GONE ──▶ asks for the lock again
 * </pre>
 */
@SuppressWarnings("WaitNotInLoop") // the loop is the caller's; there are no spurious wake-ups in here
final class ExclusiveCondition implements Condition {
  private final ExclusiveLock<?> lock;

  /** Guarded by the lock. */
  private final RequestList waiters = new RequestList();

  ExclusiveCondition(ExclusiveLock<?> lock) {
    this.lock = lock;
    Ledger.made(this);
  }

  @Override
  public void await() throws InterruptedException {
    awaitSignal(true, FOREVER);
  }

  @Override
  public void awaitUninterruptibly() {
    try {
      awaitSignal(false, FOREVER);
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    Host host = Hosts.current();
    long start = host.nanoTime();
    awaitSignal(true, Math.max(nanos, 0));
    long left = nanos - (host.nanoTime() - start);
    return left <= nanos ? left : Long.MIN_VALUE;
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return awaitSignal(true, Math.max(unit.toNanos(time), 0));
  }

  @Override
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    Duration left = Duration.between(Hosts.current().now(), Instant.ofEpochMilli(deadline.getTime()));
    return awaitSignal(true, Nanos.of(left));
  }

  @Override
  public void signal() {
    SwitchPoints.reach(lock.ledgerKey());
    lock.requireHeld();
    signalFirst();
  }

  @Override
  public void signalAll() {
    SwitchPoints.reach(lock.ledgerKey());
    lock.requireHeld();
    while (signalFirst()) {
      // each in turn
    }
  }

  ExclusiveLock<?> lock() {
    return lock;
  }

  @Override
  public String toString() {
    return "Condition of " + lock;
  }

  /** Passes over those who have given up. False: nobody is left. */
  private boolean signalFirst() {
    for (Request r = waiters.poll(); r != null; r = waiters.poll()) {
      ConditionRequest request = (ConditionRequest) r;
      request.listed = false;
      if (request.end()) {
        lock.enqueue(request);
        return true;
      }
    }
    return false;
  }

  /** True if signalled, false if the time passed first. */
  private boolean awaitSignal(boolean interruptible, long nanos) throws InterruptedException {
    SwitchPoints.reach(lock.ledgerKey());
    Guard hold = lock.requireHeld();
    if (interruptible) {
      Interrupts.check();
    }
    ConditionRequest request = new ConditionRequest(lock.permits);
    waiters.append(request);
    int outcome;
    try {
      lock.release(hold);
      outcome = request.await(this, interruptible, nanos);
    } catch (Throwable failure) {
      regain(request, hold);
      throw failure;
    }
    if (outcome == GRANTED) {
      lock.regained(hold);
      return true;
    }
    boolean signalled = regain(request, hold);
    if (outcome == INTERRUPTED) {
      if (!signalled) {
        throw new InterruptedException();
      }
      Thread.currentThread().interrupt();
    }
    return signalled;
  }

  /** Gets the lock back after a wait that ended early. True: a signal came first all the same. */
  private boolean regain(ConditionRequest request, @Nullable Guard hold) {
    if (request.end()) {
      lock.relock(hold);
      if (request.listed) {
        waiters.remove(request);
      }
      return false;
    }
    // The signal has put the request in the lock's queue.
    try {
      request.await(this, false, FOREVER);
    } catch (Throwable failure) {
      lock.leave(request);
      throw failure;
    }
    lock.regained(hold);
    return true;
  }
}
