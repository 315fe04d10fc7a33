// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.observe.Baton;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which task reads how many times, as far as it was written down: only while {@link Baton#tracking} is on. What was written
 * down is crossed out in any case, so that turning it off and on again leaves nobody behind.
 */
final class ReadHolders {
  /** The number of no task. */
  static final long NOBODY = 0;

  private final ConcurrentHashMap<Long, Integer> counts = new ConcurrentHashMap<>();

  /** Whether anything was ever written down; set before the first entry, never cleared. */
  private volatile boolean used;

  /** Writes {@code task} down if tracking is on. Returns what to hand to {@link #remove}. */
  long add(long task) {
    if (task == NOBODY || !Baton.tracking().isOn()) {
      return NOBODY;
    }
    used = true;
    counts.merge(task, 1, Integer::sum);
    return task;
  }

  /** Crosses one read of {@code task} out, if it was written down. */
  void remove(long task) {
    if (task != NOBODY) {
      // Not there: a read that was taken while tracking was off.
      counts.computeIfPresent(task, (t, n) -> n > 1 ? n - 1 : null);
    }
  }

  /** How many reads of {@code task} are written down. */
  int count(long task) {
    return used ? counts.getOrDefault(task, 0) : 0;
  }

  /** Whether anything was ever written down here: a single look for those who give a read up. */
  boolean used() {
    return used;
  }
}
