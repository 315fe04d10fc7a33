// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The life of one server process.
 *
 * @param beganBy why there was a new one; null for the first
 * @param cut when the one before could not be reached any more, in nanoseconds of the clock of all processes
 * @param initial what it knew at its beginning, by name
 * @param events all that was done to it
 */
record Epoch(@Nullable Fault beganBy, long cut, Map<String, Snapshot> initial, List<ServerEvent> events) {

  /** What it knew at its end, by name. */
  Map<String, Snapshot> end() {
    Map<String, Snapshot> all = new TreeMap<>();
    initial.forEach((name, snapshot) -> all.put(name, snapshot.copy()));
    for (ServerEvent event : events) {
      of(all, event.name()).apply(event);
    }
    return all;
  }

  static Snapshot of(Map<String, Snapshot> all, String name) {
    return all.computeIfAbsent(name, n -> new Snapshot());
  }
}
