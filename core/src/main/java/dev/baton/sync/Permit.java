// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.threads.Backoff;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Permits of a {@link Semaphore} that are held; closing returns them, once.
 *
 * {@snippet :
 * Semaphore connections = Semaphore.of(10);
 * try (Permit permit = connections.hold(3)) {
 *   Permit one = permit.split(1); // can be closed on its own, by another thread
 *   one.close();
 * }
 * }
 *
 * <p>Safe for use by several threads. A permit that is garbage collected without being closed returns nothing.
 */
public final class Permit implements AutoCloseable {
  private static final long CLOSED = -1;

  /** Being merged into another: for a few instructions, after which it is closed, or open as before. */
  private static final long MOVING = -2;

  private static final VarHandle COUNT = Fields.find(MethodHandles.lookup(), "count", long.class);

  private final Semaphore semaphore;
  private volatile long count;

  /** Who takes the permits, if that is written down; or a {@link Leash} that knows. */
  private final @Nullable Object taker;

  /** Where that is written down. Set before anybody else has the permit. */
  private int place = Places.NONE;

  Permit(Semaphore semaphore, long count, @Nullable Object taker) {
    this.semaphore = semaphore;
    this.count = count;
    if (taker == null) {
      this.taker = null;
    } else {
      // Made now: once permits are taken, nothing may fail.
      semaphore.holders();
      this.taker = Leash.of(this, semaphore, taker, count);
    }
  }

  /** The permits have been taken. */
  void taken() {
    if (taker != null) {
      Object who = Leash.taker(taker);
      Taker.begun(who);
      place = semaphore.holders().add(Leash.entry(this, taker), who);
    }
  }

  /** This object is closed now, and {@code taken} permits, perhaps none, are given back or elsewhere; or it was closed before. */
  private void over(long taken) {
    if (taker != null && taken != CLOSED) {
      semaphore.holders().remove(Leash.entry(this, taker), place);
    }
  }

  /** Tells who wants to know how long they were held; called after {@link #over}, once the permits are given. */
  private void told() {
    if (taker != null) {
      Taker.over(Leash.taker(taker));
    }
  }

  /** The count has changed, and it is not over. */
  private void counted() {
    if (taker instanceof Leash leash) {
      leash.count(this);
    }
  }

  /** Who has taken the permits; null if that was not written down. */
  @Nullable Object taker() {
    return taker == null ? null : Leash.taker(taker);
  }

  /** {@return how many permits this object stands for; 0 once closed, forgotten or merged into another} */
  public long count() {
    return Math.max(settled(), 0);
  }

  /**
   * Moves {@code n} of these permits to a new object.
   *
   * @param n how many to move, from 0 to all of them
   * @return the new object: closing it returns those that were moved
   * @throws IllegalArgumentException if {@code n} is negative or more than this object stands for; nothing changes
   * @throws IllegalStateException if this permit is closed
   */
  public Permit split(long n) {
    SwitchPoints.reach(semaphore);
    Permit part = new Permit(semaphore, n, taker());
    while (true) {
      long whole = settled();
      if (whole == CLOSED) {
        throw closed("split");
      }
      if (n < 0 || n > whole) {
        throw new IllegalArgumentException(
            "Cannot split " + n + " off a permit of " + whole + ": ask for 0 to " + whole + ".");
      }
      if (COUNT.compareAndSet(this, whole, whole - n)) {
        counted();
        part.taken();
        return part;
      }
    }
  }

  /**
   * Moves all permits of {@code other} to this object; {@code other} is closed and returns nothing.
   *
   * @param other a permit of the same semaphore; it is closed then
   * @throws IllegalArgumentException if {@code other} is of another semaphore, is this very object, or both together are more
   *     than {@link Semaphore#MAX_PERMITS}; nothing changes
   * @throws IllegalStateException if one of the two is closed, or another thread is just merging this one; nothing changes
   */
  public void merge(Permit other) {
    if (other == this) {
      throw new IllegalArgumentException("Cannot merge a permit with itself.");
    }
    if (other.semaphore != semaphore) {
      throw new IllegalArgumentException(
          "Cannot merge permits of two semaphores: " + other.semaphore + " and " + semaphore + ".");
    }
    SwitchPoints.reach(semaphore);
    long moved = other.replace(MOVING);
    if (moved == CLOSED) {
      throw closed("merge");
    }
    long left = moved;
    long mine;
    try {
      mine = add(moved);
      if (fits(mine, moved)) {
        left = CLOSED;
        counted();
        other.over(moved);
      }
    } finally {
      other.count = left;
    }
    // Only now: to make an error takes long, and meanwhile nobody could use the other.
    if (mine < 0) {
      throw closed("merge into");
    }
    if (!fits(mine, moved)) {
      throw new IllegalArgumentException(
          "Cannot merge " + moved + " and " + mine + " permits: together they are more than 2^60.");
    }
  }

  /**
   * Adds {@code moved}, if this is open and both together fit; returns what was here before. Does not wait for a permit that is moving:
   * two that are merged into each other would wait for ever.
   */
  private long add(long moved) {
    while (true) {
      long mine = count;
      if (!fits(mine, moved) || COUNT.compareAndSet(this, mine, mine + moved)) {
        return mine;
      }
    }
  }

  private static boolean fits(long mine, long moved) {
    return mine >= 0 && moved <= Semaphore.MAX_PERMITS - mine;
  }

  /**
   * Takes these permits out of the semaphore for good; the limit of a bounded semaphore shrinks with them. Those that were
   * to disappear on their return, because the limit had been lowered below what is held, disappear first.
   */
  public void forget() {
    SwitchPoints.reach(semaphore);
    long taken = replace(CLOSED);
    over(taken);
    if (taken > 0) {
      semaphore.forgetHeld(taken);
      told();
    }
  }

  /** Returns the permits. Does nothing when called again, or after {@link #forget}. Never throws. */
  @Override
  public void close() {
    // Before the permits are taken out of this object: nothing may come between that and their return.
    SwitchPoints.reach(semaphore);
    long taken = replace(CLOSED);
    over(taken);
    if (taken > 0) {
      semaphore.giveBack(taken);
      told();
    }
  }

  @Override
  public String toString() {
    long now = settled();
    return "Permit[" + (now < 0 ? "closed" : now + " of " + semaphore) + "]";
  }

  /** Puts {@code state} in the place of an open count, and returns that; or CLOSED, changing nothing. */
  private long replace(long state) {
    while (true) {
      long now = settled();
      if (now == CLOSED || COUNT.compareAndSet(this, now, state)) {
        return now;
      }
    }
  }

  /** The count, or CLOSED. */
  private long settled() {
    for (int attempt = 0; ; attempt++) {
      long now = count;
      if (now != MOVING) {
        return now;
      }
      Backoff.pause(attempt);
    }
  }

  private static IllegalStateException closed(String verb) {
    return new IllegalStateException(
        "Cannot " + verb + " a permit that is closed, forgotten or merged into another.");
  }
}
