// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.observe.Baton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which task reads how many times, as far as it was written down: only while {@link Baton#tracking} is on. What was written
 * down is crossed out in any case, so that turning it off and on again leaves nobody behind.
 *
 * <p>A read that a task took by itself is written down as its taker, and only that task crosses it out; one that a guard holds, as
 * the guard, which knows its place. So nobody else ever crosses out the same, and a plain write is enough for it.
 */
final class ReadHolders {
  /** The number of no task. */
  static final long NOBODY = Taker.NOBODY;

  /** How many times a task reads by itself beside what stands in the places, and what is known of it since the first. */
  private record Reads(int count, Object taker) {}

  private final ConcurrentHashMap<Long, Reads> others = new ConcurrentHashMap<>();

  /** Guards for which there was no place. */
  private final Set<ReadHold> otherHolds = ConcurrentHashMap.newKeySet();

  /** How many of those each task has. Whoever has to wait asks for its own, and would have to look through those of all. */
  private final ConcurrentHashMap<Long, Integer> otherHoldsOf = new ConcurrentHashMap<>();

  /** Null until something is written down; then never changed. */
  private volatile @Nullable Places places;

  // ---- reads of a task's own ----

  /** Writes the calling task, {@code me}, down if tracking is on. */
  void add(long me) {
    if (Baton.tracking().isOn()) {
      Object taker = Taker.now();
      // One that was not written down for itself is not found by its number.
      if (Taker.number(taker) != me || places().put(taker, me) == Places.NONE) {
        others.compute(me, (t, reads) -> reads == null ? new Reads(1, taker) : new Reads(reads.count + 1, reads.taker));
      }
    }
  }

  /** Crosses one read of the calling task, {@code me}, out, if it was written down. */
  void remove(long me) {
    Places known = places;
    if (known != null && !known.removeTaker(me)) {
      // Not there: a read that was taken while tracking was off.
      removeOther(me);
    }
  }

  private void removeOther(long me) {
    others.computeIfPresent(me, (t, reads) -> reads.count > 1 ? new Reads(reads.count - 1, reads.taker) : null);
  }

  /** How many reads of the calling task's own, {@code me}, are written down: only that task changes it. */
  int own(long me) {
    Places known = places;
    if (known == null) {
      return 0;
    }
    Reads more = others.isEmpty() ? null : others.get(me);
    return known.takers(me) + (more == null ? 0 : more.count);
  }

  // ---- reads of guards ----

  /** Writes down, if tracking is on, that {@code hold} reads for {@code task}, which need not be the calling one. */
  void add(ReadHold hold, long task) {
    if (task != NOBODY && Baton.tracking().isOn()) {
      hold.reader = task;
      hold.taker = Taker.now();
      put(hold, places().put(hold, task));
    }
  }

  /** A read that is written down for the calling task, {@code me}, is held by {@code hold}: that is written down instead. */
  void handTo(ReadHold hold, long me) {
    Places known = places();
    int place = known.placeOfTaker(me);
    Reads reads = place == Places.NONE ? others.get(me) : null;
    hold.reader = me;
    hold.taker = reads == null ? known.get(place) : reads.taker;
    if (reads == null) {
      known.set(place, hold);
    } else {
      removeOther(me);
    }
    put(hold, place);
  }

  private void put(ReadHold hold, int place) {
    hold.place = place;
    if (place == Places.NONE) {
      try {
        otherHolds.add(hold);
        otherHoldsOf.merge(hold.reader, 1, Integer::sum);
      } catch (OutOfMemoryError noRoom) {
        // Then its holder is not known.
      }
    }
  }

  /** Crosses {@code hold} out, if it was written down. Called once for each time. */
  void remove(ReadHold hold) {
    if (hold.reader != NOBODY) {
      if (hold.place == Places.NONE) {
        if (otherHolds.remove(hold)) {
          otherHoldsOf.computeIfPresent(hold.reader, (task, holds) -> holds > 1 ? holds - 1 : null);
        }
      } else {
        places().clear(hold.place);
      }
      hold.reader = NOBODY;
      hold.taker = null;
    }
  }

  private Places places() {
    Places known = places;
    return known == null ? makePlaces() : known;
  }

  private synchronized Places makePlaces() {
    Places known = places;
    if (known == null) {
      known = new Places(Long.MAX_VALUE);
      places = known;
    }
    return known;
  }

  // ---- looking ----

  /** How many reads of {@code task} are written down, beside that of {@code except}. */
  int count(long task, @Nullable ReadHold except) {
    Places known = places;
    if (known == null) {
      return 0;
    }
    int[] count = {0};
    known.forEach(entry -> count[0] += entry != except && reader(entry) == task ? 1 : 0);
    Reads more = others.get(task);
    boolean counted = except != null && except.reader == task && otherHolds.contains(except);
    return count[0] + (more == null ? 0 : more.count) + otherHoldsOf.getOrDefault(task, 0) - (counted ? 1 : 0);
  }

  /** Each read that is written down. */
  List<Holding> holdings() {
    List<Holding> all = new ArrayList<>();
    Places known = places;
    if (known != null) {
      known.forEach(entry -> describe(entry, all));
    }
    otherHolds.forEach(hold -> describe(hold, all));
    others.forEach(
        (task, reads) -> {
          for (int i = 0; i < reads.count; i++) {
            all.add(Holding.by(task, reads.taker, 0));
          }
        });
    return all;
  }

  private static void describe(Object entry, List<Holding> all) {
    long reader = reader(entry);
    // Nobody: just being crossed out.
    if (reader != NOBODY) {
      all.add(Holding.by(reader, entry instanceof ReadHold hold ? hold.taker : entry, 0));
    }
  }

  private static long reader(Object entry) {
    return entry instanceof ReadHold hold ? hold.reader : Taker.number(entry);
  }

  /** Whether anything was ever written down here: a single look for those who give a read up. */
  boolean used() {
    return places != null;
  }
}
