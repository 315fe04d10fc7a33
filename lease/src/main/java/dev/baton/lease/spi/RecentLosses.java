// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import java.util.LinkedHashMap;
import java.util.Map;

/** The leases of this registry that were lost last: who releases one of them by its id is told so. */
public final class RecentLosses {
  private static final int KEPT = 1_024;

  /** The name of each, by its id; guarded by this. */
  private final Map<String, String> names = new LinkedHashMap<>();

  /** None yet. */
  public RecentLosses() {}

  /** The lease {@code id} of {@code name} was lost. */
  public synchronized void add(String name, String id) {
    names.put(id, name);
    if (names.size() > KEPT) {
      names.remove(names.keySet().iterator().next());
    }
  }

  /** Whether the lease {@code id} of {@code name} was lost, and not long ago. */
  public synchronized boolean contains(String name, String id) {
    return name.equals(names.get(id));
  }
}
