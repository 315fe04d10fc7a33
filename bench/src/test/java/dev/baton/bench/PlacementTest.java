// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.work.CoreDistance;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.ThroughputResult;

class PlacementTest {
  @Test
  void coresThatStayWhereTheyAreMakeOneRow() {
    List<IterationResult> iterations = List.of(iteration(30, 40), iteration(39, 28), iteration(31, 31));

    assertThat(Placement.of(iterations)).containsExactly(Placement.ANY);
    assertThat(Placement.ANY.among(iterations)).isEqualTo(iterations);
  }

  @Test
  void whatWasMeasuredNearIsNotComparedWithWhatWasMeasuredFarApart() {
    List<IterationResult> near = List.of(iteration(30, 40), iteration(39, 28), iteration(31, 31));
    List<IterationResult> far = List.of(iteration(170, 165), iteration(168, 171), iteration(166, 166));
    List<IterationResult> all = Stream.concat(near.stream(), far.stream()).toList();

    assertThat(Placement.of(all)).extracting(Placement::suffix).containsExactly(", cores near", ", cores far apart");
    assertThat(Placement.of(all).getFirst().among(all)).isEqualTo(near);
    assertThat(Placement.of(all).getLast().among(all)).isEqualTo(far);
  }

  @Test
  void anIterationDuringWhichTheyMovedCountsForNeither() {
    IterationResult moved = iteration(30, 170);
    List<IterationResult> all = List.of(iteration(30, 30), iteration(30, 30), iteration(30, 30), moved);

    assertThat(Placement.of(all)).hasSize(2).allSatisfy(each -> assertThat(each.among(all)).doesNotContain(moved));
  }

  @Test
  void oneThatCouldBeMeasuredBeforeOrAfterIsKnown() {
    IterationResult half = iteration(-1, 30);
    IterationResult unknown = iteration(-1, -1);
    List<IterationResult> all =
        List.of(unknown, half, iteration(30, 30), iteration(30, 30), iteration(170, 170), iteration(170, 170), iteration(170, 170));

    assertThat(Placement.of(all)).hasSize(2).allSatisfy(each -> assertThat(each.among(all)).hasSize(3).doesNotContain(unknown));
    assertThat(Placement.of(all).getFirst().among(all)).contains(half);
  }

  @Test
  void tooFewIterationsAreNone() {
    List<IterationResult> all = List.of(iteration(30, 30), iteration(30, 30), iteration(30, 30), iteration(170, 170));

    assertThat(Placement.of(all).getLast().among(all)).isEmpty();
  }

  @Test
  void whereNobodyMeasuresTheDistanceThereIsOneRow() {
    List<IterationResult> all = List.of(iteration(), iteration());

    assertThat(Placement.of(all)).containsExactly(Placement.ANY);
  }

  private static IterationResult iteration(double before, double after) {
    IterationResult iteration = iteration();
    iteration.addResult(new ScalarResult(CoreDistance.BEFORE, before, "ns", AggregationPolicy.AVG));
    iteration.addResult(new ScalarResult(CoreDistance.AFTER, after, "ns", AggregationPolicy.AVG));
    return iteration;
  }

  private static IterationResult iteration() {
    IterationResult iteration = new IterationResult(null, null, null);
    iteration.addResult(new ThroughputResult(ResultRole.PRIMARY, "work", 1, 1, TimeUnit.SECONDS));
    return iteration;
  }
}
