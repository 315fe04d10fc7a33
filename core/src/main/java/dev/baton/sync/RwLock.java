// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.observe.Holding;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A fair lock for many readers or one writer.
 *
 * {@snippet :
 * RwLock lock = new RwLock();
 * try (Guard reading = lock.readLock().guard()) {
 *   // beside other readers
 * }
 * try (WriteGuard writing = lock.writeLock().guard()) {
 *   // alone
 * }
 * }
 *
 * <p><b>Guarantees.</b> Nobody reads while somebody writes, and only one writes. A writer can {@linkplain #downgrade go on as
 * a reader} and one reader at a time can be {@linkplain #upgradable upgradable}, both without letting a writer in between.
 * Neither side is reentrant. A thread that would have to wait for itself gets an error instead, if it holds the write lock or
 * an upgradable guard; a thread that holds a read lock only while {@link Baton#tracking} is on.
 *
 * <p><b>Cancellation.</b> Every wait but the {@code lock()} of either side ends on interrupt, holding nothing more than before;
 * the next in line is considered in the same step.
 *
 * <p><b>Fairness.</b> Strictly first in, first out: readers that come after a waiting writer wait behind it, and all readers
 * up to the next writer enter together. The exceptions: an upgrade goes before all who wait, since they
 * wait for it; and those who wait for an upgradable guard stand in a line of their own until it is their turn for that.
 *
 * <p><b>Memory effects.</b> What a thread did before giving the write lock up, by unlocking or downgrading, is seen by whoever
 * takes either side next; what it did before giving a read lock up, by whoever writes next.
 *
 * <p><b>Cost.</b> Without waiters, reading is one atomic add each way, writing one compare-and-set each way; nothing is
 * allocated, except guards.
 */
public final class RwLock implements ReadWriteLock {
  /** The most who can read at once, and how many can if nothing else is said. */
  public static final int MAX_READERS = 1 << 30;

  private final long maxReaders;
  private final PermitQueue queue;
  private final WriteLock writeLock;
  private final ReadLock readLock;
  private final Upgrades upgrades;

  /** An unlocked lock for any number of readers. */
  public RwLock() {
    this(MAX_READERS);
  }

  /**
   * {@return an unlocked lock for at most {@code maxReaders} at once; one more waits as if somebody wrote}
   *
   * @param maxReaders the most who can read at once, 1 to {@link #MAX_READERS}
   * @throws IllegalArgumentException if that is not 1 to {@link #MAX_READERS}
   */
  public static RwLock withMaxReaders(int maxReaders) {
    return new RwLock(maxReaders);
  }

  @SuppressWarnings("this-escape") // the two sides only keep it
  private RwLock(int maxReaders) {
    if (maxReaders < 1 || maxReaders > MAX_READERS) {
      throw new IllegalArgumentException("The most readers at once are 1 to 2^30, not " + maxReaders + ".");
    }
    this.maxReaders = maxReaders;
    queue = new HandingOver(maxReaders);
    writeLock = new WriteLock(this, queue, maxReaders);
    readLock = new ReadLock(this, queue, writeLock);
    upgrades = new Upgrades(this);
    Ledger.made(this);
  }

  /**
   * Says at once, in the place of a writer that was granted the lock, that somebody has it: that writer goes on later, and a read that is
   * given up once too often until then would let a reader in beside it.
   */
  private final class HandingOver extends PermitQueue {
    HandingOver(int maxReaders) {
      super(maxReaders, maxReaders);
    }

    @Override
    protected void granted(Request request, long need) {
      if (isKnownToWrite(need)) {
        writeLock.handedOver();
      }
    }

    @Override
    protected void givenUp(Request request) {
      if (isKnownToWrite(request.need())) {
        writeLock.handedBack();
      }
    }

    /** Where there may be hardly any readers, one permit can be a writer's too. */
    private static boolean isKnownToWrite(long need) {
      return need > 1;
    }
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "prices"; other things may have the same name
   * @return this very lock
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public RwLock named(String name) {
    queue.probe(Probe.name(queue.probe(), "rwlock", name, this, RwLock::usage));
    return this;
  }

  private Usage usage() {
    boolean owned = writeLock.hasOwner();
    long held = queue.held();
    return new Usage(
        maxReaders == MAX_READERS ? Usage.UNKNOWN : queue.available(),
        isWritten(owned, held) ? 1 : held,
        queue.waiting() + upgrades.waiting());
  }

  @Override
  public ReadLock readLock() {
    return readLock;
  }

  @Override
  public WriteLock writeLock() {
    return writeLock;
  }

  /**
   * Turns the write lock of the calling thread into a read lock, without letting a writer in between: readers at the head of
   * the line enter, the next writer does not. If the write lock was held by a guard, that is spent. Never blocks.
   *
   * @throws IllegalMonitorStateException if the caller does not hold the write lock; nothing changes
   */
  public void downgrade() {
    SwitchPoints.reach(this);
    if (!writeLock.downgrade(writeLock.requireHeld())) {
      throw writeLock.notHeld();
    }
    readLock.holders().add(Hosts.currentTaskId());
    Ledger.took(this, 1);
  }

  // ---- upgradable reading ----

  /**
   * Takes a read lock that may be upgraded. There is one at a time: the next who asks waits for it to be closed.
   *
   * @return a guard that reads, and may be upgraded; close it to give up what it holds
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the write lock, an upgradable
   *     guard or, as far as that is {@linkplain Baton#tracking tracked}, a read lock already
   */
  public UpgradableGuard upgradable() throws InterruptedException {
    UpgradableHold taken = new UpgradableHold(this);
    take(taken, FOREVER);
    return taken;
  }

  /**
   * Takes a read lock that may be upgraded, waiting at most {@code timeout} in all; zero or less tries once.
   *
   * @param timeout how long to wait at most, in all; zero or less tries once
   * @return a guard that reads, and may be upgraded; close it to give up what it holds
   * @throws TimeoutException if the time passed first; nothing is held
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing is held
   * @throws IllegalMonitorStateException if the caller would have to wait for itself: it holds the write lock, an upgradable
   *     guard or, as far as that is {@linkplain Baton#tracking tracked}, a read lock already
   */
  public UpgradableGuard upgradable(Duration timeout) throws InterruptedException, TimeoutException {
    UpgradableHold taken = new UpgradableHold(this);
    if (!take(taken, Nanos.of(timeout))) {
      throw new TimeoutException("Waited " + timeout + " to read upgradably under " + this + "; nothing is held.");
    }
    return taken;
  }

  /**
   * Takes a read lock that may be upgraded if nobody else has one, nobody writes and nobody waits. Never blocks. May be empty
   * without need if another attempt is just failing.
   *
   * @return the guard; empty if nothing was taken
   */
  public Optional<UpgradableGuard> tryUpgradable() {
    UpgradableHold taken = new UpgradableHold(this);
    Optional<UpgradableGuard> guarded = Optional.of(taken);
    SwitchPoints.reach(this);
    if (!upgrades.tryTake()) {
      return Optional.empty();
    }
    taken.taken();
    return guarded;
  }

  private boolean take(UpgradableHold taken, long nanos) throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = upgrades.takeFor(nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome != GRANTED) {
      return false;
    }
    taken.taken();
    return true;
  }

  // ---- looking ----

  /**
   * {@return whether somebody writes; false while a writer only waits, true while the lock is handed over to one} Exact,
   * unless the most readers are few enough to be reached: then a writer who is just entering or leaving may not be seen.
   */
  public boolean isWriteLocked() {
    SwitchPoints.reach(this);
    return isWritten(writeLock.hasOwner(), queue.held());
  }

  /** {@return how many read; a writer that only waits changes nothing} As exact as {@link #isWriteLocked}. */
  public int readerCount() {
    SwitchPoints.reach(this);
    boolean owned = writeLock.hasOwner();
    long held = queue.held();
    return isWritten(owned, held) ? 0 : (int) held;
  }

  /** {@return how many wait: for reading, for writing, for an upgradable guard, or to upgrade} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting() + upgrades.waiting();
  }

  /** {@return the most who can read at once} */
  public int maxReaders() {
    return (int) maxReaders;
  }

  @Override
  public String toString() {
    boolean owned = writeLock.hasOwner();
    long held = queue.held();
    String state =
        isWritten(owned, held)
            ? "write-locked" + writeLock.describeOwner()
            : held == 0 ? "unlocked" : held == 1 ? "1 reader" : held + " readers";
    return "RwLock" + Probe.shown(queue.probe()) + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  /**
   * Whether it is a writer who holds all permits. So many readers as there can be at most are never there; where fewer are
   * allowed, the owner tells. It must be read before the count: then an owner that was seen was one at that time.
   */
  private boolean isWritten(boolean owned, long held) {
    return held == maxReaders && (owned || maxReaders == MAX_READERS);
  }

  /** Who writes or reads, as far as that is known. */
  List<Holding> holdings() {
    List<Holding> writer = writeLock.holdings();
    if (!writer.isEmpty()) {
      return writer;
    }
    boolean owned = writeLock.hasOwner();
    long held = queue.held();
    if (isWritten(owned, held)) {
      return List.of(Holding.unknown(0, "being handed over to a writer"));
    }
    List<Holding> readers = readLock.holders().holdings();
    long rest = held - readers.size();
    if (rest < 0) {
      // Some were unlocked by others than those who locked, and it cannot be told whose they were.
      return List.of(Holding.unknown(0, "read by " + held + ", some of which were unlocked by others: holders unknown"));
    }
    if (rest > 0) {
      readers.add(Holding.unknown(0, "read by " + rest + " from before tracking, or by guards of lockAsync: holder unknown"));
    }
    return readers;
  }

  Upgrades upgrades() {
    return upgrades;
  }
}
