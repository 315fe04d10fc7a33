// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.pattern.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Does a tiny task for each of 100,000 items, at most 64 at a time, from one platform thread, and keeps the results in order. One
 * operation is one item. Items and results have been boxed before, so that no implementation allocates for them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ParallelMap.ITEMS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ParallelMap {
  static final int ITEMS = 100_000;

  private static final int LIMIT = 64;

  private final List<Integer> items = IntStream.range(0, ITEMS).boxed().toList();
  private PeakThreads peak = new PeakThreads();
  private Way way = ParallelMap::parallel;

  /** One of the implementations. */
  private interface Way {
    List<Integer> map(List<Integer> items, UnaryOperator<Integer> task) throws Exception;
  }

  @Benchmark
  public void batonParallel(PeakThreads threads) throws Exception {
    run(ParallelMap::parallel, threads);
  }

  @Benchmark
  public void mapConcurrent(PeakThreads threads) throws Exception {
    run(ParallelMap::gatherer, threads);
  }

  @Benchmark
  public void gatedFutures(PeakThreads threads) throws Exception {
    run(ParallelMap::executor, threads);
  }

  private void run(Way implementation, PeakThreads threads) throws Exception {
    way = implementation;
    peak = threads; // filled in by census(), which JMH runs before it reads the counters
    check(way.map(items, number -> items.get(ITEMS - 1 - number)));
  }

  @TearDown(Level.Iteration)
  public void census() throws Exception {
    Census census = new Census();
    check(
        way.map(
            items,
            number -> {
              census.attend();
              return items.get(ITEMS - 1 - number);
            }));
    Expect.equal("tasks", ITEMS, census.tasks());
    peak.peakThreads = census.peak();
  }

  private static List<Integer> parallel(List<Integer> items, UnaryOperator<Integer> task) throws InterruptedException {
    return Parallel.map(items, LIMIT, task::apply);
  }

  private static List<Integer> gatherer(List<Integer> items, UnaryOperator<Integer> task) {
    return items.stream().gather(Gatherers.mapConcurrent(LIMIT, task)).toList();
  }

  private static List<Integer> executor(List<Integer> items, UnaryOperator<Integer> task) throws Exception {
    Semaphore permits = new Semaphore(LIMIT, true);
    List<Future<Integer>> futures = new ArrayList<>();
    List<Integer> results = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Integer item : items) {
        permits.acquire();
        futures.add(
            executor.submit(
                () -> {
                  try {
                    return task.apply(item);
                  } finally {
                    permits.release();
                  }
                }));
      }
      for (Future<Integer> future : futures) {
        results.add(future.get());
      }
    }
    return results;
  }

  private static void check(List<Integer> results) {
    Expect.equal("results", ITEMS, results.size());
    for (int i = 0; i < ITEMS; i += 1_000) {
      Expect.equal("result " + i, ITEMS - 1 - i, results.get(i));
    }
  }
}
