// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renews what this process holds and waits for, before its window is over: one call for each name, and for each few hundred of it. */
final class Beats extends Deadlines.Entry {
  /** How many are renewed in one call. */
  private static final int BATCH = 500;

  private static final int PER_WINDOW = 3;
  private static final long RETRY = 1_000_000_000L;

  private final RedisStore store;

  // Guarded by this.
  private boolean set;
  private long next;

  Beats(RedisStore store) {
    this.store = store;
  }

  /** Something with such a window, in nanoseconds, is to be renewed. */
  void keep(long window) {
    beatIn(window / PER_WINDOW);
  }

  /** Renews everything in so many nanoseconds, or sooner. */
  void beatIn(long nanos) {
    long time = store.now() + nanos - store.jitter(nanos);
    synchronized (this) {
      if (set && next - time <= 0) {
        return;
      }
      set = true;
      next = time;
      store.schedule(this, time);
    }
  }

  @Override
  protected void due() {
    synchronized (this) {
      set = false;
    }
    Map<String, List<HeldLease>> names = new HashMap<>();
    long shortest = Long.MAX_VALUE;
    for (HeldLease lease : store.local()) {
      names.computeIfAbsent(lease.name(), name -> new ArrayList<>()).add(lease);
      shortest = Math.min(shortest, lease.terms().window());
    }
    names.forEach(
        (name, leases) -> {
          for (int from = 0; from < leases.size(); from += BATCH) {
            beat(name, leases.subList(from, Math.min(from + BATCH, leases.size())));
          }
        });
    if (shortest != Long.MAX_VALUE) {
      keep(shortest);
    }
  }

  private void beat(String name, List<HeldLease> leases) {
    String[] arguments = new String[2 * leases.size()];
    long[] sent = new long[leases.size()];
    for (int i = 0; i < leases.size(); i++) {
      HeldLease lease = leases.get(i);
      arguments[2 * i] = lease.id();
      arguments[2 * i + 1] = Long.toString(RedisStore.millis(lease.terms().window()));
      sent[i] = lease.host().nanoTime();
    }
    store
        .beat(name, arguments)
        .whenComplete(
            (answers, error) -> {
              if (error != null) {
                beatIn(RETRY);
                return;
              }
              for (int i = 0; i < leases.size(); i++) {
                store.renewed(leases.get(i), sent[i], Long.parseLong((String) answers.get(i)));
              }
            });
  }
}
