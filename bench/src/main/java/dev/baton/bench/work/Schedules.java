// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.check.Check;
import dev.baton.check.Report;
import dev.baton.check.Strategy;
import dev.baton.runtime.Engine;
import dev.baton.scope.Scope;
import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Random schedules of a program whose three tasks take and return the only permit of a semaphore. One operation is one schedule,
 * out of searches of 1,000 each; every search begins with two runs more, to see that they are the same, and a thread of its own.
 */
@State(org.openjdk.jmh.annotations.Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@OperationsPerInvocation(Schedules.SEARCH)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class Schedules {
  static final int SEARCH = 1_000;

  private static final int TASKS = 3;

  /** Of all tasks together; an acquire is one, a release is another. */
  @Param({"30", "10"})
  int operations;

  private long seed;

  Engine engine() {
    return Engine.PORTABLE;
  }

  @Benchmark
  public Report batonCheck() {
    Report report = search(engine(), operations, seed);
    seed += SEARCH;
    return report;
  }

  static Report search(Engine engine, int operations, long firstSeed) {
    Report report =
        Check.that(() -> program(operations / 2))
            .strategy(Strategy.random())
            .engine(engine)
            .firstSeed(firstSeed)
            .seeds(SEARCH)
            .search();
    if (!report.passed()) {
      throw new IllegalStateException("the program has no mistake, but one was found: " + report);
    }
    Expect.equal("schedules", SEARCH, report.schedules());
    return report;
  }

  /** Pairs that do not divide by three are more for the first tasks. */
  private static void program(int pairs) throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    long[] entered = new long[1]; // guarded by the only permit
    Scope.run(
        scope -> {
          for (int task = 0; task < TASKS; task++) {
            int own = (pairs + TASKS - 1 - task) / TASKS;
            scope.fork(
                () -> {
                  for (int i = 0; i < own; i++) {
                    semaphore.acquire();
                    entered[0]++;
                    semaphore.release();
                  }
                  return semaphore;
                });
          }
          scope.join();
        });
    Expect.equal("pairs", pairs, entered[0]);
  }
}
