// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.threads.Backoff;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Items in order, put in at one end and taken out at the other. Each end has a lock of its own, so that one who puts and one who
 * takes do not meet; whoever holds both has the ring to itself.
 *
 * <p>Held whenever a lock is free: {@code out <= in <= out + room}, and the items from {@code out} to {@code in} are in their slots.
 */
final class Ring {
  private static final int SMALLEST = 16;

  /** An array of twice as many cannot be made. */
  private static final int LARGEST = 1 << 30;

  /** How often one looks for the other end before one stands in line, and how long between: long enough for a few messages. */
  private static final int LOOKS = 4;

  private static final long LOOK_NANOS = 500;

  private final int capacity;
  private final Lane in = new Lane();
  private final Lane out = new Lane();

  /** A power of two of them. Replaced under both locks. */
  private @Nullable Object[] slots;

  /** How many items may be in the slots there are. */
  private int room;

  /** A ring for {@code capacity} items, which takes up room as it needs it. */
  Ring(int capacity) {
    this.capacity = capacity;
    this.slots = new Object[powerOfTwo(Math.min(SMALLEST, capacity))];
    this.room = Math.min(capacity, slots.length);
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }

  // ---- the locks ----

  /**
   * Takes both. Whoever has one does not give up its core while it waits for the other: virtual threads that wait for the first one,
   * yielding to each other, might keep it from ever having a core again.
   */
  void lock() {
    in.lock();
    while (!out.tryLockBriefly()) {
      in.unlock();
      Backoff.giveWay();
      in.lock();
    }
  }

  void unlock() {
    out.unlock();
    in.unlock();
  }

  void lockIn() {
    in.lock();
  }

  void unlockIn() {
    in.unlock();
  }

  void lockOut() {
    out.lock();
  }

  void unlockOut() {
    out.unlock();
  }

  // ---- under the lock of one end ----

  /** Puts {@code item} behind all others. Under the lock of {@code in}. False: there is no room, or not yet. */
  boolean put(Object item) {
    int position = in.position();
    if (position - in.seen >= room) {
      in.seen = out.look();
      if (position - in.seen >= room) {
        return false;
      }
    }
    slots[position & (slots.length - 1)] = item;
    in.advance();
    return true;
  }

  /** Takes the first item, or null if there is none. Under the lock of {@code out}. */
  @Nullable Object take() {
    int position = out.position();
    if (position == out.seen) {
      out.seen = in.look();
      if (position == out.seen) {
        return null;
      }
    }
    Object item = remove(position);
    out.advance();
    return item;
  }

  private Object remove(int position) {
    int slot = position & (slots.length - 1);
    Object item = Objects.requireNonNull(slots[slot]);
    slots[slot] = null;
    return item;
  }

  // ---- under both locks ----

  /** Whether there is no room by right. */
  boolean isFull() {
    return size() == capacity;
  }

  /** Whether there is room by right, but not in the slots. */
  boolean isCramped() {
    return size() == room && room < capacity;
  }

  /** Takes the first item and puts {@code last} behind all others. Whoever looks meanwhile does not find the ring empty. */
  Object exchange(Object last) {
    Object item = remove(out.position());
    slots[in.position() & (slots.length - 1)] = last;
    in.advance();
    out.advance();
    // Nothing that was seen may fall behind: a queue can stay full for more items than an int counts.
    in.seen = out.position();
    out.seen = in.position();
    return item;
  }

  /** Puts {@code item} in the place of the last one. */
  Object replaceLast(Object item) {
    int slot = (in.position() - 1) & (slots.length - 1);
    Object replaced = Objects.requireNonNull(slots[slot]);
    slots[slot] = item;
    return replaced;
  }

  /** Twice as many slots. Leaves the critical section meanwhile: nothing is allocated under the lock. */
  void growOutside() {
    int length = slots.length;
    unlock();
    if (length == LARGEST) {
      throw new OutOfMemoryError("A queue has room for at most 2^30 items.");
    }
    @Nullable Object[] larger = new Object[length * 2];
    lock();
    if (slots.length < larger.length) {
      for (int i = out.position(); i != in.position(); i++) {
        larger[i & (larger.length - 1)] = slots[i & (length - 1)];
      }
      slots = larger;
      room = Math.min(capacity, larger.length);
    }
  }

  // ---- from outside ----

  /** How many items there are; exact under both locks, otherwise so many there were at some moment or more. */
  int size() {
    // The end that takes first: what is seen of the other is never behind it.
    int taken = out.look();
    return Math.min(in.look() - taken, capacity);
  }

  /** Whether there was a moment, just now, without an item. */
  boolean isEmpty() {
    int taken = out.look();
    return in.look() == taken;
  }

  /** Whether there was a moment, just now, without room. */
  boolean isFullNow() {
    int put = in.look();
    return put - out.look() == capacity;
  }

  // ---- patience ----

  // A message by itself costs several times what it costs in a batch: each hand-over between two cores moves cache lines to and fro.
  // So whoever finds the ring empty or full lets the other end get ahead before it goes on, if that pays.

  /** Waits a moment for items: for half of what there is room for, or fewer if no more come. False: there are none. */
  boolean awaitItems() {
    return out.beginLooking() && out.endLooking(look(true));
  }

  /** Waits a moment for room: for half of all there is, or less if no more comes. False: there is none. */
  boolean awaitRoom() {
    return in.beginLooking() && in.endLooking(look(false));
  }

  private boolean look(boolean forItems) {
    int before = 0;
    for (int look = 0; look < LOOKS; look++) {
      pause();
      int items = size();
      int there = forItems ? items : capacity - items;
      if (there >= room / 2 || (there > 0 && there == before)) {
        return true;
      }
      before = there;
    }
    return before > 0;
  }

  private static void pause() {
    Host host = Hosts.current();
    long end = host.nanoTime() + LOOK_NANOS;
    do {
      Thread.onSpinWait();
    } while (host.nanoTime() - end < 0);
  }
}
