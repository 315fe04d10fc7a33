// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import dev.baton.host.Probe;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.lease.spi.Terms;
import dev.baton.observe.Usage;
import java.util.stream.Collectors;

/** A name of one store that is observed. Its handles have it, and it is listed as long as one of them is there. */
final class ObservedName {
  private final LeaseStore store;
  private final String name;
  private final int limit;
  private final Probe probe;

  @SuppressWarnings("this-escape") // the probe only keeps it
  ObservedName(LeaseStore store, String name, int limit) {
    this.store = store;
    this.name = name;
    this.limit = limit;
    this.probe = Probe.name(null, "lease", seen(name), this, ObservedName::usage);
  }

  /** The names of leases are text of any kind, those of things have something that can be seen. */
  private static String seen(String name) {
    return name.isBlank() ? name.chars().mapToObj(Terms::escaped).collect(Collectors.joining()) : name;
  }

  Probe probe() {
    return probe;
  }

  private Usage usage() {
    LeaseStats stats;
    try {
      stats = store.stats(name);
    } catch (BackendUnavailableException unknown) {
      return new Usage(Usage.UNKNOWN, Usage.UNKNOWN, Usage.UNKNOWN);
    }
    return stats == null
        ? new Usage(limit, 0, 0)
        : new Usage(Math.max(0, stats.limit() - stats.acquired()), stats.acquired(), stats.waiting());
  }
}
