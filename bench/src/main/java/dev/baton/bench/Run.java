// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.work.Calibration;
import dev.baton.bench.work.CoreDistance;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs suites. All implementations of a work run one after the other, each in a JVM of its own, and then all over
 * again in the next round: a ratio compares what happened within seconds, not minutes apart.
 */
final class Run {
  private final List<Suite> suites;
  private final Settings settings;
  private final double tokensPerMicro = Calibration.measure();
  private final Map<String, Finished> finished = new LinkedHashMap<>();

  /** The results of one table so far, merged over the rounds. */
  private static final class Finished {
    final Suite suite;
    final Work work;
    final Map<String, RunResult> byBenchmark = new LinkedHashMap<>();

    Finished(Suite suite, Work work) {
      this.suite = suite;
      this.work = work;
    }

    void add(RunResult result) {
      byBenchmark.merge(
          result.getParams().id(),
          result,
          (before, now) -> {
            List<BenchmarkResult> rounds = new ArrayList<>(before.getBenchmarkResults());
            rounds.addAll(now.getBenchmarkResults());
            return new RunResult(now.getParams(), rounds);
          });
    }
  }

  Run(List<Suite> suites, Settings settings) {
    this.suites = suites;
    this.settings = settings;
  }

  /** How many JVMs will be started. */
  static int size(List<Suite> suites, Settings settings) {
    int size = 0;
    for (Suite suite : suites) {
      for (Work work : suite.works()) {
        for (var point : work.points(settings.quick(), settings.params())) {
          size += point.getOrDefault(Work.IMPL, List.of()).size() * settings.roundsOf(suite);
        }
      }
    }
    return size;
  }

  void run(PrintStream log, PrintStream screen, boolean terminal, Runnable afterEachSuite) throws RunnerException {
    Progress progress = new Progress(log, screen, terminal, size(suites, settings));
    try {
      for (Suite suite : suites) {
        for (int round = 0; round < settings.roundsOf(suite); round++) {
          for (Work work : suite.works()) {
            for (var point : work.points(settings.quick(), settings.params())) {
              run(suite, work, point, progress);
            }
          }
        }
        afterEachSuite.run();
      }
    } finally {
      progress.clear();
    }
    progress.done();
  }

  private void run(Suite suite, Work work, Map<String, List<String>> point, Progress progress)
      throws RunnerException {
    Map<String, String> values = new LinkedHashMap<>();
    String methods = work.hasImplParam() ? "[^.]+" : String.join("|", point.getOrDefault(Work.IMPL, List.of()));
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(work.bench().getName()) + "\\.(" + methods + ")$")
            .forks(1)
            .shouldFailOnError(true)
            // The heap is touched beforehand: else whoever allocates pays for pages that the kernel hands out once in the life of a JVM.
            .jvmArgsAppend(
                Calibration.argument(tokensPerMicro), "--sun-misc-unsafe-memory-access=allow", "-XX:+AlwaysPreTouch");
    point.forEach(
        (name, chosen) -> {
          if (work.hasImplParam() || !name.equals(Work.IMPL)) {
            options.param(name, chosen.toArray(String[]::new));
          }
          values.put(name, chosen.getFirst());
        });
    if (!work.isSingleShot()) {
      options.addProfiler(GCProfiler.class);
    }
    if (work.isAcrossCores()) {
      options.addProfiler(CoreDistance.class);
    }
    if (settings.effectiveWarmups() != null) {
      options.warmupIterations(settings.effectiveWarmups());
    }
    if (settings.effectiveIterations() != null) {
      options.measurementIterations(settings.effectiveIterations());
    }
    if (settings.effectiveTime() != null) {
      options.warmupTime(settings.effectiveTime()).measurementTime(settings.effectiveTime());
    }
    String label = work.label(values);
    progress.at(suite.name(), label);
    Finished table = finished.computeIfAbsent(suite.name() + "/" + label, key -> new Finished(suite, work));
    new Runner(options.build(), progress).run().forEach(table::add);
  }

  List<Row> rows() {
    return finished.values().stream()
        .flatMap(table -> Readings.rows(table.suite, table.work, List.copyOf(table.byBenchmark.values())).stream())
        .toList();
  }

  /** What JMH reports, for its own JSON. */
  List<RunResult> raw() {
    return finished.values().stream().flatMap(table -> table.byBenchmark.values().stream()).toList();
  }
}
