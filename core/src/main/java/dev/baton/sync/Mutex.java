// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;

/**
 * A fair lock: handed over in the order in which it was asked for.
 *
 * {@snippet :
 * Mutex mutex = new Mutex();
 * try (Guard guard = mutex.guard()) {
 *   // one at a time
 * }
 * }
 *
 * <p><b>Order.</b> Strictly first in, first out; on its way from one owner to the next the lock is never free, so a
 * newcomer cannot overtake, not even by {@link #tryLock()}.
 *
 * <p><b>Owner.</b> The lock belongs to the thread that took it, and only that thread may {@link #unlock} it; one taken by
 * {@link #lockAsync} belongs to its {@link Guard}. It is not reentrant: a thread that waits for the lock it holds gets an
 * error instead of a deadlock.
 *
 * <p><b>Cancellation.</b> Every wait but {@link #lock} ends on interrupt, holding nothing; the next in line is not affected.
 *
 * <p><b>Memory effects.</b> What a thread did before unlocking is seen by whoever locks next.
 *
 * <p><b>Cost.</b> Without waiters, locking and unlocking are one atomic add each; nothing is allocated.
 */
public final class Mutex extends ExclusiveLock<Guard> {

  /** An unlocked mutex. */
  public Mutex() {
    super(new PermitQueue(1, 1), 1);
    Ledger.made(this);
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "accounts"; other things may have the same name
   * @return this very mutex
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public Mutex named(String name) {
    queue.probe(Probe.name(queue.probe(), "mutex", name, this, Mutex::usage));
    return this;
  }

  private Usage usage() {
    long free = queue.available() > 0 ? 1 : 0;
    return new Usage(free, 1 - free, queue.waiting());
  }

  /** {@return whether somebody holds the lock; stays true while it is handed over} */
  public boolean isLocked() {
    SwitchPoints.reach(this);
    return queue.available() == 0;
  }

  /** {@return how many wait for the lock} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting();
  }

  @Override
  public String toString() {
    String state = queue.available() > 0 ? "unlocked" : "locked" + describeOwner();
    return "Mutex" + Probe.shown(queue.probe()) + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  @Override
  Guard newGuard() {
    return new ExclusiveGuard(this);
  }
}
