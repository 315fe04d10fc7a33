// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.pattern.BoundedExecutor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Has 1,000,000 tiny tasks executed, at most so many at a time, handed in by one platform thread that waits when there is no room; then
 * waits for all. Nothing is stored: a task is handed in when it may run. One operation is one task.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ManyTasks.TASKS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ManyTasks {
  static final int TASKS = 1_000_000;

  private static final int TASKS_OF_THE_CENSUS = 100_000;

  @Param({"10", "200"})
  int limit;

  private PeakThreads peak = new PeakThreads();
  private Way way = ManyTasks::bounded;

  /** One of the implementations. */
  private interface Way {
    void execute(int limit, int tasks, Runnable task) throws InterruptedException;
  }

  @Benchmark
  public void batonExecutor(PeakThreads threads) throws InterruptedException {
    run(ManyTasks::bounded, threads);
  }

  @Benchmark
  public void batonExecutorThreadPerTask(PeakThreads threads) throws InterruptedException {
    run(ManyTasks::threadPerTask, threads);
  }

  @Benchmark
  public void gatedExecutor(PeakThreads threads) throws InterruptedException {
    run(ManyTasks::gated, threads);
  }

  private void run(Way implementation, PeakThreads threads) throws InterruptedException {
    way = implementation;
    peak = threads; // filled in by census(), which JMH runs before it reads the counters
    AtomicLong done = new AtomicLong();
    way.execute(limit, TASKS, done::incrementAndGet);
    Expect.equal("tasks", TASKS, done.get());
  }

  @TearDown(Level.Iteration)
  public void census() throws InterruptedException {
    Census census = new Census();
    way.execute(limit, TASKS_OF_THE_CENSUS, census::attend);
    Expect.equal("tasks", TASKS_OF_THE_CENSUS, census.tasks());
    peak.peakThreads = census.peak();
  }

  private static void bounded(int limit, int tasks, Runnable task) {
    execute(BoundedExecutor.limit(limit).build(), tasks, task);
  }

  private static void threadPerTask(int limit, int tasks, Runnable task) {
    execute(BoundedExecutor.limit(limit).threadPerTask().build(), tasks, task);
  }

  private static void execute(BoundedExecutor bounded, int tasks, Runnable task) {
    try (bounded) {
      for (int i = 0; i < tasks; i++) {
        bounded.execute(task);
      }
    }
  }

  private static void gated(int limit, int tasks, Runnable task) throws InterruptedException {
    Semaphore permits = new Semaphore(limit, true);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < tasks; i++) {
        permits.acquire();
        executor.execute(
            () -> {
              try {
                task.run();
              } finally {
                permits.release();
              }
            });
      }
    }
  }
}
