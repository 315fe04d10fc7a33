// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.util.Map;

/**
 * One implementation doing one work.
 *
 * @param error half the 99.9 % confidence interval over all iterations of all rounds (of sizes, the whole range); NaN
 *     if there are too few
 * @param moreIsBetter whether the score is a rate; else it is a time or a size
 * @param extras further figures by the heading of their column
 */
record Measurement(
    Peer peer, double score, double error, String unit, boolean moreIsBetter, Map<String, Double> extras) {
  static final String BYTES = "B/op";
  static final String CPU = "CPU ns/op";
  static final String DISTANCE = "core to core, ns";
  static final String LEAST = "least by one worker";
  static final String MOST = "most by one worker";
  static final String PER_WAITER = "µs per waiter";
  static final String STACK = "of it stack";
  static final String PEAK_THREADS = "most threads alive";
  static final String HEAP_BEFORE = "heap before, MB";
  static final String HEAP_QUEUED = "while queued, MB";
  static final String HEAP_AFTER = "after, MB";
  static final String P99_WAIT = "p99 wait, µs";
  static final String SPREAD = "between callers, %";
  static final String PER_ACQUIRE = "commands per acquire";
  static final String PER_RELEASE = "commands per release";
  static final String PER_ROUND = "commands per op";
  static final String PER_LEASE = "µs per acquire";
  static final String HEAP_EACH = "heap B per lease";
  static final String EXPIRY = "CPU µs per expiry";

  /** An extra figure; NaN if there is none. */
  double extra(String heading) {
    return extras.getOrDefault(heading, Double.NaN);
  }
}
