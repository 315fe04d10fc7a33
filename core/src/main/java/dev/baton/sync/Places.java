// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.observe.Taker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A few places for what is written down about holders, found by the number of the task: to write something down is one exchange, and
 * nothing is allocated for it. When the places that a number leads to are taken, the caller has to keep it elsewhere.
 */
final class Places {
  /** No place. */
  static final int NONE = -1;

  private static final int MOST = 64;

  /** So many places are tried, one after the other. */
  private static final int TRIES = 4;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

  private final @Nullable Object[] places;

  /** The bits of a hash that are left after this shift lead to a place. */
  private final int shift;

  /** Places for so many holders at a time, or for the most there can be. */
  Places(long holders) {
    // Twice as many, so that few meet.
    int wanted = (int) Math.max(TRIES, Math.min(MOST, 2 * Math.min(holders, MOST)));
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
    shift = Long.SIZE - bits;
    places = new Object[1 << bits];
  }

  /** Writes {@code entry} down for task {@code number}. Returns its place, or {@link #NONE} if there is none for it. */
  int put(Object entry, long number) {
    int first = first(number);
    for (int i = 0; i < TRIES; i++) {
      int at = (first + i) & (places.length - 1);
      // Compare-and-set: another task may be led to the same place.
      if (places[at] == null && PLACE.compareAndSet(places, at, null, entry)) {
        return at;
      }
    }
    return NONE;
  }

  /** Crosses out what was written down at {@code place}, which only one caller does. */
  void clear(int place) {
    // Release is enough: nobody else writes where something stands.
    PLACE.setRelease(places, place, null);
  }

  /** Crosses out one of the takers that stand here for the calling task, {@code number}: nobody else does that. False: none does. */
  boolean removeTaker(long number) {
    int place = placeOfTaker(number);
    if (place == NONE) {
      return false;
    }
    clear(place);
    return true;
  }

  /** Where one of the takers stands for task {@code number}, or {@link #NONE}. */
  int placeOfTaker(long number) {
    int first = first(number);
    for (int i = 0; i < TRIES; i++) {
      int at = (first + i) & (places.length - 1);
      if (isTaker(places[at], number)) {
        return at;
      }
    }
    return NONE;
  }

  /** How many takers stand here for task {@code number}. */
  int takers(long number) {
    int first = first(number);
    int takers = 0;
    for (int i = 0; i < TRIES; i++) {
      takers += isTaker(places[(first + i) & (places.length - 1)], number) ? 1 : 0;
    }
    return takers;
  }

  private static boolean isTaker(@Nullable Object entry, long number) {
    return entry != null && !(entry instanceof ReadHold) && Taker.number(entry) == number;
  }

  /** What stands at {@code place}, which is the caller's own. */
  Object get(int place) {
    return Objects.requireNonNull(places[place]);
  }

  /** Writes {@code entry} down at {@code place}, instead of what the caller has written there. */
  void set(int place, Object entry) {
    PLACE.setRelease(places, place, entry);
  }

  /** Shows all that is written down here. */
  void forEach(Consumer<Object> viewer) {
    for (int i = 0; i < places.length; i++) {
      Object entry = PLACE.getAcquire(places, i);
      if (entry != null) {
        viewer.accept(entry);
      }
    }
  }

  private int first(long number) {
    return (int) ((number * GOLDEN) >>> shift);
  }
}
