// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;

/** Turns what JMH measured into rows. */
final class Readings {
  private static final double CONFIDENCE = 0.999;
  private static final double MEGA = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  private Readings() {}

  /** The rows of one work at one point, from results of all its implementations: one, or one for each placement of the cores. */
  static List<Row> rows(Suite suite, Work work, List<RunResult> results) {
    Map<String, String> params = new LinkedHashMap<>();
    List<IterationResult> all = new ArrayList<>();
    for (RunResult result : results) {
      for (String name : result.getParams().getParamsKeys()) {
        if (!name.equals(Work.IMPL)) {
          params.put(name, result.getParams().getParam(name));
        }
      }
      all.addAll(iterations(result));
    }
    List<Row> rows = new ArrayList<>();
    for (Placement placement : Placement.of(all)) {
      row(suite, work, params, placement, results).ifPresent(rows::add);
    }
    if (rows.isEmpty()) {
      row(suite, work, params, Placement.ANY, results).ifPresent(rows::add);
    }
    return rows;
  }

  private static Optional<Row> row(
      Suite suite, Work work, Map<String, String> params, Placement placement, List<RunResult> results) {
    List<Measurement> measurements = new ArrayList<>();
    for (RunResult result : results) {
      List<IterationResult> iterations = placement.among(iterations(result));
      if (!iterations.isEmpty()) {
        measurements.add(measurement(result, iterations));
      }
    }
    measurements.sort(Comparator.comparing(Measurement::peer));
    String label = work.label(params) + placement.suffix();
    return measurements.isEmpty()
        ? Optional.empty()
        : Optional.of(new Row(suite.name(), work.bench(), label, params, measurements));
  }

  private static List<IterationResult> iterations(RunResult result) {
    List<IterationResult> iterations = new ArrayList<>();
    for (BenchmarkResult round : result.getBenchmarkResults()) {
      iterations.addAll(round.getIterationResults());
    }
    return iterations;
  }

  private static Measurement measurement(RunResult result, List<IterationResult> iterations) {
    Measurement measured = withoutDistance(result, iterations);
    iterations.stream()
        .flatMapToDouble(Placement::distances)
        .average()
        .ifPresent(mean -> measured.extras().put(Measurement.DISTANCE, mean));
    return measured;
  }

  private static Measurement withoutDistance(RunResult result, List<IterationResult> iterations) {
    Peer peer = peer(result.getParams());
    Map<String, Double> extras = new LinkedHashMap<>();
    var first = iterations.getFirst().getSecondaryResults();
    if (first.containsKey("pairs")) {
      double rounds = sum(iterations, "rounds");
      extras.put(Measurement.BYTES, sum(iterations, "allocatedBytes") / rounds);
      extras.put(Measurement.CPU, sum(iterations, "cpuNanos") / rounds);
      extras.put(Measurement.LEAST, statistics(iterations, "leastPerWorker").getMin());
      extras.put(Measurement.MOST, statistics(iterations, "mostPerWorker").getMax());
      if (first.containsKey("commandsPerRound")) {
        putIfKnown(extras, Measurement.P99_WAIT, statistics(iterations, "p99WaitNanos").getMean() / NANOS_PER_MICRO);
        putIfKnown(extras, Measurement.SPREAD, statistics(iterations, "spreadPercent").getMax());
        putIfKnown(extras, Measurement.PER_ROUND, statistics(iterations, "commandsPerRound").getMean());
        putIfKnown(extras, Measurement.PER_ACQUIRE, statistics(iterations, "commandsPerAcquire").getMax());
        putIfKnown(extras, Measurement.PER_RELEASE, statistics(iterations, "commandsPerRelease").getMax());
      }
      return measurement(peer, statistics(iterations, "pairs"), first.get("pairs").getScoreUnit(), true, extras);
    }
    if (first.containsKey("bytesPerThread")) {
      extras.put(Measurement.STACK, median(iterations, "stackBytesPerThread"));
      ListStatistics bytes = statistics(iterations, "bytesPerThread");
      double error = bytes.getMax() - bytes.getMin();
      return new Measurement(peer, median(iterations, "bytesPerThread"), error, "B/thread", false, extras);
    }
    if (first.containsKey("heapBefore")) {
      extras.put(Measurement.HEAP_BEFORE, statistics(iterations, "heapBefore").getMean() / MEGA);
      extras.put(Measurement.HEAP_QUEUED, statistics(iterations, "heapQueued").getMean() / MEGA);
      extras.put(Measurement.HEAP_AFTER, statistics(iterations, "heapAfter").getMean() / MEGA);
    }
    if (first.containsKey("heapPerLease")) {
      double micros = result.getPrimaryResult().getScore() * 1e3;
      extras.put(Measurement.PER_LEASE, micros / Integer.parseInt(result.getParams().getParam("leases")));
      extras.put(Measurement.HEAP_EACH, median(iterations, "heapPerLease"));
      extras.put(Measurement.EXPIRY, statistics(iterations, "expiryCpuNanos").getMean() / NANOS_PER_MICRO);
    }
    if (first.containsKey("idleCommands")) {
      return measurement(peer, statistics(iterations, "idleCommands"), "commands/s", false, extras);
    }
    if (first.containsKey("peakThreads")) {
      extras.put(Measurement.PEAK_THREADS, statistics(iterations, "peakThreads").getMax());
    }
    Result<?> primary = result.getPrimaryResult();
    for (String name : List.of("waiters", "asyncWaiters")) {
      if (result.getParams().getParamsKeys().contains(name)) {
        double micros = primary.getScore() * 1e3;
        extras.put(Measurement.PER_WAITER, micros / Integer.parseInt(result.getParams().getParam(name)));
      }
    }
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    if (allocated != null) {
      extras.put(Measurement.BYTES, allocated.getScore());
    }
    if (first.containsKey("messages")) {
      extras.put(Measurement.CPU, sum(iterations, "cpuNanos") / sum(iterations, "messages"));
    }
    ListStatistics scores = new ListStatistics();
    iterations.forEach(iteration -> scores.addValue(iteration.getPrimaryResult().getScore()));
    boolean rate = result.getParams().getMode() == Mode.Throughput;
    return measurement(peer, scores, primary.getScoreUnit(), rate, extras);
  }

  /** What a work cannot tell of an implementation is negative. */
  private static void putIfKnown(Map<String, Double> extras, String heading, double value) {
    if (value >= 0) {
      extras.put(heading, value);
    }
  }

  private static Measurement measurement(
      Peer peer, ListStatistics scores, String unit, boolean moreIsBetter, Map<String, Double> extras) {
    double error = scores.getN() < 3 ? Double.NaN : scores.getMeanErrorAt(CONFIDENCE);
    return new Measurement(peer, scores.getMean(), error, Format.unit(unit), moreIsBetter, extras);
  }

  /** The implementation is a parameter of the benchmark or, where each is called directly, the name of its method. */
  static Peer peer(BenchmarkParams params) {
    if (params.getParamsKeys().contains(Work.IMPL)) {
      return Peer.of(params.getParam(Work.IMPL));
    }
    String benchmark = params.getBenchmark();
    return Peer.of(benchmark.substring(benchmark.lastIndexOf('.') + 1));
  }

  private static ListStatistics statistics(List<IterationResult> iterations, String name) {
    ListStatistics statistics = new ListStatistics();
    for (IterationResult iteration : iterations) {
      statistics.addValue(Objects.requireNonNull(iteration.getSecondaryResults().get(name), name).getScore());
    }
    return statistics;
  }

  /** The middle value: sizes are exact but for a round in which the JIT had not compiled some frame yet. */
  private static double median(List<IterationResult> iterations, String name) {
    return statistics(iterations, name).getPercentile(50);
  }

  private static double sum(List<IterationResult> iterations, String name) {
    return statistics(iterations, name).getSum();
  }
}
