// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Watch;
import dev.baton.internal.select.Selectables;
import dev.baton.sync.ClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a pool has lent: from the permit that somebody was granted, over the resource that it gets for it, to its end. How permits are waited
 * for is the {@link Pool}'s, where resources come from and go to the {@link Workshop}'s.
 *
 * <pre>
 *   {@link #newLoan} ─▶ a permit ─▶ {@link #lend} ─▶ {@link #giveBack}     the resource is idle, the permit free
 *                          │              ├─▶ {@link #takeOut}       the resource is the borrower's for good, the permit free
 *                          │              └─▶ {@link #evict}         the resource is destroyed, then the permit free
 *                          └─▶ the factory throws: the permit is free
 * </pre>
 */
final class Loans<T> implements Selectables.Lending {
  private final Pool<T> pool;

  /** Who has one of these may have a resource. */
  private final PermitQueue permits;

  private final Workshop<T> workshop;

  /** Those that somebody has, as far as that is written down. */
  private final Set<Borrowed<T>> known = ConcurrentHashMap.newKeySet();

  Loans(Pool<T> pool, PermitQueue permits, Workshop<T> workshop) {
    this.pool = pool;
    this.permits = permits;
    this.workshop = workshop;
  }

  // ---- the beginning ----

  /** Made beforehand: once a permit is taken, nothing may fail. */
  Borrowed<T> newLoan() {
    return new Borrowed<>(pool, Watch.seesHolds() ? Taker.of(permits.probe()) : null);
  }

  /** The same for a future, which belongs to no task. */
  Borrowed<T> newLoanOfFuture() {
    return new Borrowed<>(pool, Watch.seesHolds() ? Taker.ofFuture(permits.probe()) : null);
  }

  /** Has {@code borrowed} stand for a resource of the calling task, which has a permit. If it throws, that was given back. */
  Borrowed<T> lend(Borrowed<T> borrowed) throws InterruptedException {
    Resource ready = workshop.takeReady();
    begin(borrowed, ready == null ? prepare(borrowed) : ready);
    Ledger.took(pool, 1);
    return borrowed;
  }

  /** Has {@code borrowed} stand for {@code resource}, for a future. */
  void lendToFuture(Borrowed<T> borrowed, Resource resource) {
    begin(borrowed, resource);
    Ledger.tookAsync(pool, 1);
  }

  private void begin(Borrowed<T> borrowed, Resource resource) {
    borrowed.lend(resource);
    if (borrowed.taker() != null) {
      writeDown(borrowed);
    }
  }

  private void writeDown(Borrowed<T> borrowed) {
    Taker.begun(borrowed.taker());
    try {
      known.add(borrowed);
    } catch (OutOfMemoryError noRoom) {
      // Then its holder is not known.
    }
  }

  /** A resource for {@code borrowed}, checked or made by foreign code. If it throws, the permit was given back. */
  Resource prepare(Borrowed<T> borrowed) throws InterruptedException {
    try {
      return workshop.prepare(borrowed);
    } catch (InterruptedException | RuntimeException asItIs) {
      throw asItIs;
    } catch (Exception checked) {
      throw new CreationFailedException(checked);
    }
  }

  // ---- the end ----

  /** Makes the resource idle, unless the loan has ended before. */
  boolean giveBack(Borrowed<T> borrowed) {
    // Before it is taken from its holder: nothing may come between that and its return.
    SwitchPoints.reach(pool);
    if (!borrowed.end()) {
      return false;
    }
    over(borrowed);
    workshop.giveBack(borrowed);
    Taker.over(borrowed.taker());
    return true;
  }

  /** The resource, which is the caller's from now on. */
  Resource takeOut(Borrowed<T> borrowed) {
    Resource resource = end(borrowed, "hijack");
    workshop.takeOut();
    Taker.over(borrowed.taker());
    return resource;
  }

  /** Destroys the resource. */
  void evict(Borrowed<T> borrowed) {
    workshop.evict(end(borrowed, "evict"));
    Taker.over(borrowed.taker());
  }

  private Resource end(Borrowed<T> borrowed, String verb) {
    SwitchPoints.reach(pool);
    if (!borrowed.end()) {
      throw Borrowed.ended(verb);
    }
    over(borrowed);
    return borrowed.ended();
  }

  private void over(Borrowed<T> borrowed) {
    Ledger.gave(pool, 1);
    if (borrowed.taker() != null) {
      known.remove(borrowed);
    }
  }

  // ---- looking ----

  /** Who has what, as far as it is known. */
  List<Holding> holdings() {
    // Counted before the holders are looked at: whoever gives back meanwhile is missing there, and counts as unknown.
    long rest = permits.held();
    List<Holding> all = new ArrayList<>();
    for (Borrowed<T> borrowed : known) {
      Object taker = borrowed.taker();
      if (taker != null && borrowed.isOpen()) {
        long task = Taker.number(taker);
        all.add(new Holding(task, taker, 1, task == Taker.NOBODY ? "borrowed by acquireAsync, for no task" : ""));
        rest--;
      }
    }
    if (rest > 0) {
      all.add(Holding.unknown(rest, "borrowed before it was written down: holder unknown"));
    }
    return all;
  }

  static ClosedException closed() {
    return new ClosedException("The pool is closed: nothing can be acquired any more; what is borrowed is destroyed on its return.");
  }

  // ---- for a select ----

  @Override
  public PermitQueue queue() {
    return permits;
  }

  @Override
  public Object lend() {
    Borrowed<T> borrowed;
    try {
      borrowed = newLoan();
    } catch (Throwable noRoom) {
      permits.giveOne();
      throw noRoom;
    }
    try {
      return lend(borrowed);
    } catch (InterruptedException asItIs) {
      // A select may throw it.
      throw Failures.<RuntimeException>rethrow(asItIs);
    }
  }

  @Override
  public RuntimeException failure(int outcome) {
    return closed();
  }
}
