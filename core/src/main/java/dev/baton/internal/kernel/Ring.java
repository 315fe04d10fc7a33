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
  private final Lane in;
  private final Lane out;

  /** A ring for {@code capacity} items, which takes up room as it needs it. */
  Ring(int capacity) {
    this.capacity = capacity;
    @Nullable Object[] slots = new Object[powerOfTwo(Math.min(SMALLEST, capacity))];
    int room = Math.min(capacity, slots.length);
    this.in = new Lane(slots, room);
    this.out = new Lane(slots, room);
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

  // ---- one end ----

  /** Puts {@code item} behind all others, under the lock of that end. False: there is no room, or not yet, or that lock is not enough. */
  boolean putQuickly(Object item) {
    Lane end = in;
    end.lock();
    boolean done = end.open && put(end, item);
    end.unlock();
    return done;
  }

  /** Takes the first item, under the lock of that end. Null: there is none, or that lock is not enough. */
  @Nullable Object takeQuickly() {
    Lane end = out;
    end.lock();
    Object item = end.open ? take(end) : null;
    end.unlock();
    return item;
  }

  private boolean put(Lane end, Object item) {
    int position = end.position();
    if (position - end.seen >= end.room) {
      end.seen = out.look();
      if (position - end.seen >= end.room) {
        return false;
      }
    }
    @Nullable Object[] slots = end.slots;
    slots[position & (slots.length - 1)] = item;
    end.advance();
    return true;
  }

  private @Nullable Object take(Lane end) {
    int position = end.position();
    if (position == end.seen) {
      end.seen = in.look();
      if (position == end.seen) {
        return null;
      }
    }
    Object item = remove(end.slots, position);
    end.advance();
    return item;
  }

  private static Object remove(@Nullable Object[] slots, int position) {
    int slot = position & (slots.length - 1);
    Object item = Objects.requireNonNull(slots[slot]);
    slots[slot] = null;
    return item;
  }

  // ---- under both locks ----

  /** Whether from now on the lock of one end is enough to put, or to take. */
  void open(boolean toPut, boolean toTake) {
    // Mostly as it was, and then not written: the other core would have to fetch it.
    if (in.open != toPut) {
      in.open = toPut;
    }
    if (out.open != toTake) {
      out.open = toTake;
    }
  }

  /** Puts {@code item} behind all others. False: there is no room. */
  boolean put(Object item) {
    return put(in, item);
  }

  /** Takes the first item, or null if there is none. */
  @Nullable Object take() {
    return take(out);
  }

  /** Whether there is no room by right. */
  boolean isFull() {
    return size() == capacity;
  }

  /** Whether there is room by right, but not in the slots. */
  boolean isCramped() {
    return size() == in.room && in.room < capacity;
  }

  /** Takes the first item and puts {@code last} behind all others. Whoever looks meanwhile does not find the ring empty. */
  Object exchange(Object last) {
    @Nullable Object[] slots = in.slots;
    Object item = remove(slots, out.position());
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
    @Nullable Object[] slots = in.slots;
    int slot = (in.position() - 1) & (slots.length - 1);
    Object replaced = Objects.requireNonNull(slots[slot]);
    slots[slot] = item;
    return replaced;
  }

  /** Twice as many slots. Leaves the critical section meanwhile: nothing is allocated under the lock. */
  void growOutside() {
    int length = in.slots.length;
    unlock();
    if (length == LARGEST) {
      throw new OutOfMemoryError("A queue has room for at most 2^30 items.");
    }
    @Nullable Object[] larger = new Object[length * 2];
    lock();
    @Nullable Object[] slots = in.slots;
    if (slots.length < larger.length) {
      for (int i = out.position(); i != in.position(); i++) {
        larger[i & (larger.length - 1)] = slots[i & (length - 1)];
      }
      in.slots = out.slots = larger;
      in.room = out.room = Math.min(capacity, larger.length);
    }
  }

  // ---- from outside ----

  /** How many items there are; without the locks, so many there were at some moment. */
  int size() {
    while (true) {
      int taken = out.look();
      int size = in.look() - taken;
      // What was taken meanwhile would be counted. The load before it is an acquire: this one comes after it.
      if (out.look() == taken) {
        // One more while the first is exchanged for that of a sender that waits.
        return Math.min(size, capacity);
      }
      Thread.onSpinWait();
    }
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
    return out.beginLooking() && out.endLooking(look(out, true));
  }

  /** Waits a moment for room: for half of all there is, or less if no more comes. False: there is none. */
  boolean awaitRoom() {
    return in.beginLooking() && in.endLooking(look(in, false));
  }

  private boolean look(Lane end, boolean forItems) {
    int before = 0;
    for (int look = 0; look < LOOKS; look++) {
      pause();
      int items = size();
      int there = forItems ? items : capacity - items;
      if (there >= end.room / 2 || (there > 0 && there == before)) {
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
