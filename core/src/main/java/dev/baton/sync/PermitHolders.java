// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The permits of one semaphore that are held, while that is written down. */
final class PermitHolders {
  private final Places places;

  /** Those for which there was no place. */
  private final Set<Object> others = ConcurrentHashMap.newKeySet();

  PermitHolders(long limit) {
    places = new Places(limit);
  }

  /** {@code permit}, or its leash, is held. Returns what to hand to {@link #remove}. Never throws. */
  int add(Object permit, Object taker) {
    int place = places.put(permit, Taker.number(taker));
    if (place == Places.NONE) {
      try {
        others.add(permit);
      } catch (OutOfMemoryError noRoom) {
        // Then its holder is not known.
      }
    }
    return place;
  }

  /** {@code permit}, or its leash, is held no more. */
  void remove(Object permit, int place) {
    if (place == Places.NONE) {
      others.remove(permit);
    } else {
      places.clear(place);
    }
  }

  /** Who holds how many. */
  List<Holding> holdings() {
    List<Holding> all = new ArrayList<>();
    places.forEach(permit -> describe(permit, all));
    others.forEach(permit -> describe(permit, all));
    return all;
  }

  private static void describe(Object entry, List<Holding> all) {
    if (entry instanceof Leash leash) {
      describe(leash.taker(), leash.count(), all);
    } else {
      Permit permit = (Permit) entry;
      describe(permit.taker(), permit.count(), all);
    }
  }

  private static void describe(@Nullable Object taker, long count, List<Holding> all) {
    if (taker != null && count > 0) {
      boolean nobody = Taker.number(taker) == Taker.NOBODY;
      all.add(new Holding(Taker.number(taker), taker, count, nobody ? "held by a Permit of acquireAsync, for no task" : ""));
    }
  }
}
