// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Awaited;
import dev.baton.host.Host;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.internal.jfr.Flight;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.threads.Backoff;
import dev.baton.observe.Usage;
import dev.baton.sync.Semaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The forks of one scope: who may still run, who has been told to stop, what went wrong first.
 *
 * <pre>
 *   OPEN ⇄ JOINING ──▶ JOINED ──▶ CLOSING ──▶ CLOSED          the owner is interrupted in OPEN only
 *     └─────────────────────────────▶
 * </pre>
 *
 * <p>Interrupts are sent under the lock: to a fork only while it runs its body, to the owner only while it is in its block. So
 * whoever has changed the phase knows that none is on its way any more.
 *
 * <p>A fork that ends well writes nothing here: it would fight for the lock with the one who forks. Who has ended is found out
 * by the join, and in between whenever there is no room for more.
 */
final class Nursery implements Awaited {
  /** So many are interrupted in one critical section. */
  private static final int TOLD_AT_ONCE = 32;

  /** How far the owner has come. */
  enum Phase {
    OPEN,
    JOINING,
    JOINED,
    CLOSING,
    CLOSED
  }

  /** Whether a fork may start. */
  enum Admission {
    ADMITTED,
    LIMITED_OTHERWISE,
    STOPPED,
    OVER
  }

  private final Host host;
  private final Object owner;

  /** Who lives in the owner where the block is; or null. */
  private final @Nullable Object resident;

  private final Queue<Throwable> laterFailures = new ConcurrentLinkedQueue<>();

  /** Not volatile: whoever sees it sees all of it. Written by the owner, as is what follows. */
  private @Nullable Probe probe;

  /** When it was named, by the clock of its host. */
  private long namedAt;

  /** What forks wait for, if there is a limit. Written under the lock. */
  private volatile @Nullable Semaphore limit;

  // Written under the lock.
  private volatile Phase phase = Phase.OPEN;
  private volatile boolean stopped;
  private volatile boolean ownerInterrupted;
  private volatile @Nullable Throwable failure;

  // Guarded by the lock.

  private final ForkTable forks = new ForkTable();

  /** How many of them have been told to stop. */
  private int told;

  /** Whether there has been a fork. */
  private boolean forked;

  private @Nullable Throwable cause;

  Nursery(Host host, Object owner) {
    this.host = host;
    this.owner = owner;
    this.resident = host.resident();
    Ledger.made(this);
  }

  // ---- its name ----

  /** Names the scope. What is listed is this and not the scope: this is what is waited for. */
  void name(String name) {
    boolean first = probe == null;
    probe = Probe.name(probe, "scope", name, this, Nursery::usage);
    if (first) {
      namedAt = host.nanoTime();
    }
  }

  /** From now on forks have to have a permit of {@code permits}. False: some may be running, and have not. */
  synchronized boolean limitedBy(Semaphore permits) {
    boolean idle = !isActive();
    if (idle) {
      limit = permits;
    }
    return idle;
  }

  @Nullable Semaphore limit() {
    return limit;
  }

  private Usage usage() {
    Semaphore permits = limit;
    int running = running();
    return permits == null
        ? new Usage(Usage.UNKNOWN, running, 0)
        : new Usage(permits.available(), running, permits.waiting());
  }

  private synchronized int running() {
    int running = 0;
    for (int i = 0; i < forks.size(); i++) {
      running += forks.get(i).hasSettled() ? 0 : 1;
    }
    return running;
  }

  /** The scope is closed. */
  void over() {
    Probe named = probe;
    if (named != null) {
      if (named.isTimed()) {
        named.held(host.nanoTime() - namedAt);
      }
      named.close();
    }
  }

  String shownName() {
    return Probe.shown(probe);
  }

  private void tell(Throwable error) {
    Probe named = probe;
    try {
      Flight.scopeFailed(named == null ? "" : named.name(), error, size());
    } catch (OutOfMemoryError | LinkageError noRoom) {
      // It may be memory that the task has failed for want of; the owner is told in any case.
    }
  }

  // ---- forks come and go ----

  synchronized Admission admit(Fork<?> fork) {
    Admission admission =
        switch (phase) {
          case OPEN, JOINING ->
              stopped ? Admission.STOPPED : fork.isLimitedBy(limit) ? Admission.ADMITTED : Admission.LIMITED_OTHERWISE;
          case CLOSING -> Admission.STOPPED;
          case JOINED, CLOSED -> Admission.OVER;
        };
    if (admission == Admission.ADMITTED) {
      forks.add(fork, host);
      forked = true;
    }
    return admission;
  }

  /** {@code fork} could not be started. */
  synchronized void remove(Fork<?> fork) {
    forks.remove(fork);
    // Those behind it have moved up. To be told twice changes nothing.
    told = 0;
  }

  /** Whether a fork may still be running. */
  synchronized boolean isActive() {
    boolean active = false;
    for (int i = forks.size() - 1; i >= 0 && !active; i--) {
      active = !forks.get(i).hasSettled();
    }
    return active;
  }

  synchronized boolean hasForked() {
    return forked;
  }

  synchronized int size() {
    return forks.size();
  }

  // ---- stopping ----

  /** Cancels one fork. False: it has ended or was cancelled before. */
  synchronized boolean cancel(Fork<?> fork) {
    return fork.stop(host, null);
  }

  /** For a fork that was told to stop: once this returns, the interrupt has been sent and no other will be. */
  @SuppressWarnings("EmptyBlock")
  synchronized void awaitInterrupt() {
    // Whoever sends it holds the lock.
  }

  /** Something went wrong: the first failure stops everybody, and wakes the owner from whatever it waits for in its block. */
  void fail(Throwable error) {
    if (isFirst(error)) {
      stop(error, true);
      tell(error);
    } else {
      addFailure(error);
    }
  }

  /** The deadline has passed: a failure, unless the work is done or has been stopped already. */
  void expire(Throwable error) {
    if (isInTime(error)) {
      stop(error, true);
      tell(error);
    }
  }

  /** The same, found by the owner itself: it need not be woken. */
  void expireAwake(Throwable error) {
    if (isInTime(error)) {
      stop(error, false);
      tell(error);
    }
  }

  private synchronized boolean isInTime(Throwable error) {
    return (phase == Phase.OPEN || phase == Phase.JOINING) && isFirst(error);
  }

  private synchronized boolean isFirst(Throwable error) {
    boolean first = failure == null && !stopped;
    if (first) {
      failure = error;
    }
    return first;
  }

  /** One more failure, to be suppressed in the first. */
  void addFailure(Throwable error) {
    laterFailures.add(error);
  }

  /** Cancels all forks and lets no more in. */
  void stop(@Nullable Throwable reason, boolean wakeOwner) {
    if (beginStop(reason, wakeOwner)) {
      while (tellSome()) {
        // until all know
      }
    }
  }

  private synchronized boolean beginStop(@Nullable Throwable reason, boolean wakeOwner) {
    if (stopped) {
      return false;
    }
    cause = reason;
    stopped = true;
    if (wakeOwner && phase == Phase.OPEN) {
      // First the flag: whoever takes an interrupt away looks at it afterwards.
      ownerInterrupted = true;
      host.interruptBlock(owner, resident);
    }
    return true;
  }

  private synchronized boolean tellSome() {
    int end = Math.min(told + TOLD_AT_ONCE, forks.size());
    while (told < end) {
      forks.get(told++).stop(host, cause);
    }
    return told < forks.size();
  }

  // ---- the owner ----

  /** Moves on. Returns whether the owner has been interrupted by this scope; from now on it is not. */
  synchronized boolean enter(Phase newPhase) {
    phase = newPhase;
    boolean interrupted = ownerInterrupted;
    ownerInterrupted = false;
    return interrupted;
  }

  /**
   * Goes back from joining into the block. Returns whether something failed meanwhile: the owner has not been interrupted for
   * that, and must be now.
   */
  synchronized boolean reopen() {
    phase = Phase.OPEN;
    ownerInterrupted = stopped && failure != null;
    return ownerInterrupted;
  }

  /** Waits until all forks, and those that they fork meanwhile, are gone. False: interrupted first. */
  boolean awaitAll(boolean interruptible) {
    // The last first: by the time it has ended, most others have too, and need no wait.
    for (Fork<?> fork = lastNotGone(); fork != null; fork = lastNotGone()) {
      if (fork.await(this, interruptible, FOREVER) == INTERRUPTED) {
        return false;
      }
      fork.awaitGone(host);
    }
    return true;
  }

  /** The same, ignoring interrupts, and also if there is no memory for a wait: those who were told to stop will leave some. */
  void awaitAllInAnyCase() {
    boolean gone = false;
    while (!gone) {
      try {
        gone = awaitAll(false);
      } catch (OutOfMemoryError noRoom) {
        Backoff.giveWay();
      }
    }
  }

  @Override
  public synchronized List<Object> awaitedTasks() {
    List<Object> tasks = new ArrayList<>();
    for (int i = 0; i < forks.size(); i++) {
      tasks.addAll(forks.get(i).awaitedTasks());
    }
    return tasks;
  }

  private synchronized @Nullable Fork<?> lastNotGone() {
    return forks.lastNotGone(host);
  }

  // ---- looking ----

  @Override
  public String toString() {
    return "Scope" + Probe.shown(probe) + "[" + phase + "]";
  }

  Phase phase() {
    return phase;
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
    if (last != null) {
      tell(last);
    }
    return last;
  }
}
