// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One work and how each implementation did at it: a table.
 *
 * @param bench the class that measured it
 * @param params its parameters but for the implementation
 */
record Row(
    String suite, Class<?> bench, String work, Map<String, String> params, List<Measurement> measurements) {
  Optional<Measurement> of(Peer peer) {
    return measurements.stream().filter(m -> m.peer() == peer).findFirst();
  }

  /** How many times as fast one is as the other, whatever the unit; NaN if either was not measured. */
  double speed(Peer one, Peer other) {
    var mine = of(one);
    var theirs = of(other);
    if (mine.isEmpty() || theirs.isEmpty()) {
      return Double.NaN;
    }
    return mine.get().moreIsBetter()
        ? mine.get().score() / theirs.get().score()
        : theirs.get().score() / mine.get().score();
  }

  /** How much more one scores than the other; NaN if either was not measured. */
  double beyond(Peer one, Peer other) {
    return of(one).isPresent() && of(other).isPresent()
        ? of(one).get().score() - of(other).get().score()
        : Double.NaN;
  }

  /** How much of that lies in stacks. */
  double stackBeyond(Peer one, Peer other) {
    return extra(one, Measurement.STACK) - extra(other, Measurement.STACK);
  }

  double extra(Peer peer, String heading) {
    return of(peer).map(m -> m.extra(heading)).orElse(Double.NaN);
  }
}
