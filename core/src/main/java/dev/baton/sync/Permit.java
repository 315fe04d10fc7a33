// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

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
  private static final VarHandle COUNT = countHandle();

  private final Semaphore semaphore;
  private volatile long count;

  Permit(Semaphore semaphore, long count) {
    this.semaphore = semaphore;
    this.count = count;
  }

  /** How many permits this object stands for; 0 once closed, forgotten or merged into another. */
  public long count() {
    return Math.max(count, 0);
  }

  /**
   * Moves {@code n} of these permits to a new object.
   *
   * @throws IllegalArgumentException if {@code n} is negative or more than this object stands for; nothing changes
   * @throws IllegalStateException if this permit is closed
   */
  public Permit split(long n) {
    Permit part = new Permit(semaphore, n);
    while (true) {
      long whole = requireOpen("split");
      if (n < 0 || n > whole) {
        throw new IllegalArgumentException(
            "Cannot split " + n + " off a permit of " + whole + ": ask for 0 to " + whole + ".");
      }
      if (COUNT.compareAndSet(this, whole, whole - n)) {
        return part;
      }
    }
  }

  /**
   * Moves all permits of {@code other} to this object; {@code other} is closed and returns nothing.
   *
   * @throws IllegalArgumentException if {@code other} is of another semaphore or is this very object; nothing changes
   * @throws IllegalStateException if one of the two is closed; nothing changes
   */
  public void merge(Permit other) {
    if (other == this) {
      throw new IllegalArgumentException("Cannot merge a permit with itself.");
    }
    if (other.semaphore != semaphore) {
      throw new IllegalArgumentException(
          "Cannot merge permits of two semaphores: " + other.semaphore + " and " + semaphore + ".");
    }
    requireOpen("merge into");
    long moved = other.take();
    if (moved == CLOSED) {
      throw closed("merge");
    }
    while (true) {
      long mine = count;
      if (mine == CLOSED) {
        // Closed after we had looked: as if the merge had come just before.
        semaphore.giveBack(moved);
        return;
      }
      if (COUNT.compareAndSet(this, mine, mine + moved)) {
        return;
      }
    }
  }

  /**
   * Takes these permits out of the semaphore for good; the limit of a bounded semaphore shrinks with them. Those that were
   * to disappear on their return, because the limit had been lowered below what is held, disappear first.
   */
  public void forget() {
    long taken = take();
    if (taken > 0) {
      semaphore.forgetHeld(taken);
    }
  }

  /** Returns the permits. Does nothing when called again, or after {@link #forget}. Never throws. */
  @Override
  public void close() {
    long taken = take();
    if (taken > 0) {
      semaphore.giveBack(taken);
    }
  }

  @Override
  public String toString() {
    long now = count;
    return "Permit[" + (now == CLOSED ? "closed" : now + " of " + semaphore) + "]";
  }

  private long take() {
    return (long) COUNT.getAndSet(this, CLOSED);
  }

  private long requireOpen(String verb) {
    long now = count;
    if (now == CLOSED) {
      throw closed(verb);
    }
    return now;
  }

  private static IllegalStateException closed(String verb) {
    return new IllegalStateException(
        "Cannot " + verb + " a permit that is closed, forgotten or merged into another.");
  }

  private static VarHandle countHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Permit.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
