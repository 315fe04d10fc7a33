// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.observe.Baton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which task reads how many times, as far as it was written down: only while {@link Baton#tracking} is on. What was written
 * down is crossed out in any case, so that turning it off and on again leaves nobody behind.
 */
final class ReadHolders {
  /** The number of no task. */
  static final long NOBODY = Taker.NOBODY;

  /** How many times a task reads beside what stands in the places, and what is known of it since the first. */
  private record Reads(int count, Object taker) {}

  private final ConcurrentHashMap<Long, Reads> others = new ConcurrentHashMap<>();

  /** Null until something is written down; then never changed. */
  private volatile @Nullable Places places;

  /** Writes {@code task}, which is the calling one, down if tracking is on. Returns what to hand to {@link #remove}. */
  long add(long task) {
    if (task == NOBODY || !Baton.tracking().isOn()) {
      return NOBODY;
    }
    Object taker = Taker.now();
    Places known = places;
    if (known == null) {
      known = makePlaces();
    }
    // Written down for somebody else, it must not look like the one who writes.
    if (Taker.number(taker) != task || known.put(taker, task) == Places.NONE) {
      others.compute(task, (t, reads) -> reads == null ? new Reads(1, taker) : new Reads(reads.count + 1, reads.taker));
    }
    return task;
  }

  private synchronized Places makePlaces() {
    Places known = places;
    if (known == null) {
      known = new Places(Long.MAX_VALUE);
      places = known;
    }
    return known;
  }

  /** Crosses one read of {@code task} out, if it was written down. */
  void remove(long task) {
    Places known = places;
    if (task != NOBODY && known != null && !known.removeTaker(task)) {
      // Not there: a read that was taken while tracking was off.
      others.computeIfPresent(task, (t, reads) -> reads.count > 1 ? new Reads(reads.count - 1, reads.taker) : null);
    }
  }

  /** How many reads of {@code task} are written down. */
  int count(long task) {
    return used() ? (int) holdings().stream().filter(holding -> holding.task() == task).count() : 0;
  }

  /** Each read that is written down. */
  List<Holding> holdings() {
    List<Holding> all = new ArrayList<>();
    Places known = places;
    if (known != null) {
      known.forEach(taker -> all.add(Holding.by(Taker.number(taker), taker, 0)));
    }
    others.forEach(
        (task, reads) -> {
          for (int i = 0; i < reads.count; i++) {
            all.add(Holding.by(task, reads.taker, 0));
          }
        });
    return all;
  }

  /** Whether anything was ever written down here: a single look for those who give a read up. */
  boolean used() {
    return places != null;
  }
}
