// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.work.CoreDistance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Where the cores were while something was measured: near each other, or far apart. If they were moved during a run, what was measured
 * near is compared with what was measured near, and far with far; what was measured while they moved is left out.
 *
 * @param suffix what is said of it behind the name of the work
 * @param from the least distance, in nanoseconds, and {@code to} the first that is too large
 */
record Placement(String suffix, double from, double to) {
  /** All that was measured, wherever it was. */
  static final Placement ANY = new Placement("", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** So few iterations tell nothing. */
  static final int LEAST_ITERATIONS = 3;

  /** Distances that differ by less are the same one. */
  private static final double SAME = 2;

  /** The placements that all these iterations had; ANY alone if they do not differ, or are not known. */
  static List<Placement> of(List<IterationResult> iterations) {
    double[] known = iterations.stream().flatMapToDouble(Placement::distances).toArray();
    double least = DoubleStream.of(known).min().orElse(1);
    double most = DoubleStream.of(known).max().orElse(1);
    if (most < SAME * least) {
      return List.of(ANY);
    }
    double border = Math.sqrt(least * most);
    return List.of(
        new Placement(", cores near", 0, border), new Placement(", cores far apart", border, Double.POSITIVE_INFINITY));
  }

  /** Those of the iterations during which the cores were so. */
  List<IterationResult> among(List<IterationResult> iterations) {
    if (this == ANY) {
      return iterations;
    }
    List<IterationResult> here = new ArrayList<>();
    for (IterationResult iteration : iterations) {
      double[] known = distances(iteration).toArray();
      if (known.length > 0 && DoubleStream.of(known).allMatch(distance -> distance >= from && distance < to)) {
        here.add(iteration);
      }
    }
    return here.size() < LEAST_ITERATIONS ? List.of() : here;
  }

  /** Before and after the iteration, where that was measured: on a busy machine it cannot always be. */
  static DoubleStream distances(IterationResult iteration) {
    var results = iteration.getSecondaryResults();
    Result<?> before = results.get(CoreDistance.BEFORE);
    Result<?> after = results.get(CoreDistance.AFTER);
    return before == null || after == null ? DoubleStream.empty() : DoubleStream.of(before.getScore(), after.getScore()).filter(distance -> distance > 0);
  }
}
