// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.WaitQueue;

/**
 * At most one stored notification, and those who wait for one.
 *
 * <pre>
 *   nobody waits, nothing stored ◀──take──▶ nobody waits, one stored      notify: stores one, a second one changes nothing
 *                 │ wait
 *                 ▼
 *          somebody waits, nothing stored                                 notify: the first or the last is told
 * </pre>
 *
 * <p>All of it under the lock, also a notification that finds one stored: whoever takes the stored one must see what every
 * notifier before has written, not only what the first of them has.
 */
final class NotifyQueue extends WaitQueue {

  /** Who was meant; and so, to whom the notification goes if that one does not take it. */
  enum Meant {
    FIRST,
    LAST,
    EVERYONE
  }

  /** A request that remembers which notification has reached it. */
  interface Notified {

    /** Called under the lock, before the wait is decided. */
    void reachedBy(Meant meant);

    /** Which notification has reached it, once it is decided. */
    Meant reachedBy();
  }

  /** Written under the lock; never true while somebody waits. */
  private volatile boolean stored;

  /** Takes the stored notification, if there is one. */
  boolean take() {
    if (!stored) {
      return false;
    }
    lock();
    boolean taken = stored;
    stored = false;
    unlock();
    return taken;
  }

  /** Lets {@code request} wait: WAITING, or GRANTED if it took the stored notification. */
  <R extends Request & Notified> int register(R request) {
    lock();
    if (stored) {
      stored = false;
      unlock();
      return GRANTED;
    }
    enqueue(request);
    unlock();
    return WAITING;
  }

  /** Tells the first or the last in line, or stores the notification if nobody waits. */
  void notifyOne(Meant meant) {
    lock();
    Request chosen = meant == Meant.LAST ? last() : first();
    if (chosen == null) {
      stored = true;
      unlock();
      return;
    }
    remove(chosen);
    ((Notified) chosen).reachedBy(meant);
    chosen.decide(GRANTED);
    unlockAndWakeAlone(chosen);
  }

  /** Tells all who wait now. */
  void notifyEveryone() {
    lock();
    for (Request next = poll(); next != null; next = poll()) {
      ((Notified) next).reachedBy(Meant.EVERYONE);
      decide(next, GRANTED);
    }
    unlockAndWake();
  }

  /** What was meant for one is passed on as it was meant; what was meant for everyone has reached everyone. */
  @Override
  protected void giveUp(Request request) {
    Meant meant = ((Notified) request).reachedBy();
    if (meant != Meant.EVERYONE) {
      notifyOne(meant);
    }
  }

  boolean isStored() {
    return stored;
  }

  int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }
}
