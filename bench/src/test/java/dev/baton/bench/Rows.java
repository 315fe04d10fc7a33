// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.util.Arrays;
import java.util.Map;

/** Rows with figures made up for a test. */
final class Rows {
  private Rows() {}

  static Row row(Class<?> bench, Map<String, String> params, Measurement... measurements) {
    return new Row("suite", bench, "the work", params, Arrays.asList(measurements));
  }

  static Measurement time(Peer peer, double nanos) {
    return new Measurement(peer, nanos, 0.5, "ns/op", false, Map.of(Measurement.BYTES, 0.0));
  }

  static Measurement rate(Peer peer, double rate) {
    return new Measurement(peer, rate, Double.NaN, "ops/µs", true, Map.of());
  }
}
