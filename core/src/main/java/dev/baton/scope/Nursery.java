// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Host;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.WaitQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The forks of one scope: who runs, who has been told to stop, what went wrong first.
 *
 * <pre>
 *   OPEN ⇄ JOINING ──▶ JOINED ──▶ CLOSED          the owner is interrupted in OPEN only
 *     └─────────────────────────────▶
 * </pre>
 *
 * <p>Interrupts are sent under the lock: to a fork only while it runs its body, to the owner only while it is in its block. So
 * whoever has changed the phase knows that none is on its way any more.
 */
final class Nursery extends WaitQueue {
  /** So many are interrupted in one critical section: those who end meanwhile have to wait for it. */
  private static final int TOLD_AT_ONCE = 32;

  /** So many that have ended are looked at by each fork, so that the list of those who may still be alive stays short. */
  private static final int REAPED_AT_ONCE = 2;

  /** How far the owner has come. */
  enum Phase {
    OPEN,
    JOINING,
    JOINED,
    CLOSED
  }

  /** Whether a fork may start. */
  enum Admission {
    ADMITTED,
    STOPPED,
    OVER
  }

  private final Host host;
  private final Object owner;
  private final Queue<Throwable> laterFailures = new ConcurrentLinkedQueue<>();

  // Written under the lock.
  private volatile Phase phase = Phase.OPEN;
  private volatile boolean stopped;
  private volatile boolean ownerInterrupted;
  private volatile @Nullable Throwable failure;

  // Guarded by the lock.
  private int active;
  private final ForkList running = new ForkList();
  private final ForkList told = new ForkList();

  /** Those who have nothing left to do and whose threads may still be on their way out. */
  private final ForkList ended = new ForkList();

  private @Nullable Throwable cause;

  Nursery(Host host, Object owner) {
    this.host = host;
    this.owner = owner;
  }

  // ---- forks come and go ----

  Admission admit(Fork<?> fork) {
    lock();
    if (phase == Phase.JOINED || (phase == Phase.CLOSED && active == 0)) {
      unlock();
      return Admission.OVER;
    }
    if (stopped || phase == Phase.CLOSED) {
      unlock();
      return Admission.STOPPED;
    }
    active++;
    running.append(fork);
    reap();
    unlock();
    return Admission.ADMITTED;
  }

  /** {@code fork} has nothing left to do. */
  void remove(Fork<?> fork) {
    lock();
    (fork.told ? told : running).remove(fork);
    ended.append(fork);
    countDown();
  }

  /** {@code fork} was admitted but could not be started. */
  void discard(Fork<?> fork) {
    lock();
    (fork.told ? told : running).remove(fork);
    countDown();
  }

  /** Ends the critical section. */
  private void countDown() {
    if (--active == 0) {
      while (serveFirst(GRANTED)) {
        // whoever waits for the end
      }
    }
    unlockAndWake();
  }

  private void reap() {
    for (int i = 0; i < REAPED_AT_ONCE; i++) {
      Fork<?> first = ended.first();
      if (first == null || !host.hasEnded(first.task())) {
        return;
      }
      ended.remove(first);
    }
  }

  // ---- stopping ----

  /** Cancels one fork. False: it has ended or was cancelled before. */
  boolean cancel(Fork<?> fork) {
    lock();
    boolean cancelled = fork.stop(host, null);
    unlock();
    return cancelled;
  }

  /** A fork that is cancelled has ended: once this returns, the interrupt has been sent and no other will be. */
  void awaitInterrupt() {
    lock();
    unlock();
  }

  /** Something went wrong: the first failure stops everybody, and wakes the owner from whatever it waits for in its block. */
  void fail(Throwable error) {
    lock();
    boolean first = failure == null && !stopped;
    if (first) {
      failure = error;
    }
    unlock();
    if (first) {
      stop(error, true);
    } else {
      addFailure(error);
    }
  }

  /** One more failure, to be suppressed in the first. */
  void addFailure(Throwable error) {
    laterFailures.add(error);
  }

  /** Cancels all forks and lets no more in. */
  void stop(@Nullable Throwable reason, boolean wakeOwner) {
    lock();
    if (stopped) {
      unlock();
      return;
    }
    cause = reason;
    stopped = true;
    if (wakeOwner && phase == Phase.OPEN) {
      // First the flag: whoever takes an interrupt away looks at it afterwards.
      ownerInterrupted = true;
      host.interrupt(owner);
    }
    unlock();
    while (tellSome()) {
      // until all know
    }
  }

  private boolean tellSome() {
    lock();
    Fork<?> fork = running.first();
    for (int i = 0; fork != null && i < TOLD_AT_ONCE; i++, fork = running.first()) {
      running.remove(fork);
      told.append(fork);
      fork.told = true;
      fork.stop(host, cause);
    }
    unlock();
    return fork != null;
  }

  // ---- the owner ----

  /** Moves on. Returns whether the owner has been interrupted by this scope; from now on it is not. */
  boolean enter(Phase next) {
    lock();
    phase = next;
    boolean interrupted = ownerInterrupted;
    ownerInterrupted = false;
    unlock();
    return interrupted;
  }

  /** Waits until no fork has anything left to do. */
  int awaitQuiet(Object blocker, boolean interruptible) {
    Request request = new Request(0);
    lock();
    if (active == 0) {
      unlock();
      return GRANTED;
    }
    enqueue(request);
    unlock();
    return await(request, blocker, interruptible, FOREVER);
  }

  /** Waits until the threads of all forks, which have nothing left to do, are gone. */
  void awaitGone() {
    lock();
    Fork<?> first = ended.first();
    ended.clear();
    unlock();
    for (Fork<?> fork = first; fork != null; fork = fork.next) {
      host.awaitEnd(fork.task());
    }
  }

  // ---- looking ----

  Phase phase() {
    return phase;
  }

  int active() {
    lock();
    int now = active;
    unlock();
    return now;
  }

  boolean isStopped() {
    return stopped;
  }

  boolean isOwnerInterrupted() {
    return ownerInterrupted;
  }

  @Nullable Throwable firstFailure() {
    return failure;
  }

  /** The first failure with all later ones suppressed in it; null if nothing failed. */
  @Nullable Throwable failureWithOthers() {
    Throwable first = failure;
    if (first != null) {
      for (Throwable later = laterFailures.poll(); later != null; later = laterFailures.poll()) {
        Failures.join(first, later);
      }
    }
    return first;
  }

  /** The last failure with all earlier ones suppressed in it; null if nothing failed. */
  @Nullable Throwable lastFailureWithOthers() {
    Throwable last = null;
    for (Throwable next : laterFailures) {
      last = next;
    }
    for (Throwable earlier : laterFailures) {
      if (last != null) {
        Failures.join(last, earlier);
      }
    }
    laterFailures.clear();
    return last;
  }
}
