// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.observe.Holding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one place from which an {@link RwLock} can be upgraded. Two who read and both wait for the other to stop reading would
 * wait for ever; so whoever may want to upgrade takes this place first, and only then reads.
 */
final class Upgrades {
  private final RwLock rw;
  private final PermitQueue place = new PermitQueue(1, 1);

  /** The task that took the place; 0 if it is free or being handed over. */
  private volatile long owner;

  Upgrades(RwLock rw) {
    this.rw = rw;
  }

  /** Takes the place and a read, waiting at most {@code nanos} for both; GRANTED, INTERRUPTED or TIMED_OUT, then nothing is held. */
  int takeFor(long nanos) {
    if (nanos <= 0) {
      return tryTake() ? GRANTED : TIMED_OUT;
    }
    long me = Hosts.currentTaskId();
    Host host = Hosts.current();
    boolean timed = nanos != FOREVER;
    long start = timed ? host.nanoTime() : 0;
    if (rw.writeLock().isHeldBy(me)) {
      throw new IllegalMonitorStateException(
          "This thread holds " + rw.writeLock() + " and would wait for itself: downgrade it, or unlock it first.");
    }
    int outcome = takePlace(me, nanos);
    if (outcome != GRANTED) {
      return outcome;
    }
    outcome = TIMED_OUT;
    try {
      outcome = rw.readLock().takeFor(timed ? Math.max(nanos - (host.nanoTime() - start), 0) : FOREVER);
    } finally {
      if (outcome == GRANTED) {
        owner = me;
      } else {
        place.giveOne();
      }
    }
    return outcome;
  }

  /** Takes the place and a read if both are free. */
  boolean tryTake() {
    // Looked at first: an attempt that fails should not stand in anybody's way meanwhile.
    if (!rw.readLock().looksFree() || !place.tryTake(1)) {
      return false;
    }
    if (rw.readLock().takeFor(0) != GRANTED) {
      place.giveOne();
      return false;
    }
    owner = Hosts.currentTaskId();
    return true;
  }

  private int takePlace(long me, long nanos) {
    if (place.takeOne()) {
      return GRANTED;
    }
    String reason = endlessWait(me);
    if (reason != null) {
      place.withdraw(1);
      throw new IllegalMonitorStateException(reason);
    }
    Request request = newRequest();
    int outcome = place.enqueue(request, true);
    return outcome == WAITING ? place.await(request, rw, true, nanos) : outcome;
  }

  private Request newRequest() {
    try {
      return new PlaceRequest();
    } catch (Throwable failure) {
      place.withdraw(1);
      throw failure;
    }
  }

  /** Tells those who wait for the place from those who wait to read or write. */
  static final class PlaceRequest extends Request {
    PlaceRequest() {
      super(1);
    }
  }

  private @Nullable String endlessWait(long task) {
    if (isHeldBy(task)) {
      return "This thread holds an upgradable guard of " + rw + " already, and there is one at a time: use that one.";
    }
    if (rw.readLock().isKnownToBeHeldBy(task)) {
      return "This thread reads under " + rw + " and would wait for the upgradable guard, whose holder may be waiting for it "
          + "to stop reading: ask for the guard first, or unlock the read lock.";
    }
    return null;
  }

  /** Gives the place to the next who asks for it. */
  void give() {
    owner = 0;
    place.giveOne();
  }

  /** Whether {@code task} took the place. */
  boolean isHeldBy(long task) {
    return owner == task;
  }

  /** Who has the place; empty while it is free or being handed over. */
  List<Holding> holdings() {
    long task = owner;
    // It reads too, or writes: there its name is kept.
    return task == 0
        ? List.of()
        : List.of(
            rw.holdings().stream()
                .filter(holding -> holding.task() == task)
                .findFirst()
                .orElse(Holding.by(task, null, 0)));
  }

  /** How many wait for the place. */
  int waiting() {
    return place.waiting();
  }
}
