// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.observe.Baton;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Forks 10,000 tasks from one platform thread, waits for all of them and adds their results up. One operation is one task. Each
 * returns a number that has been boxed before, so that no implementation allocates for the result itself.
 */
@State(org.openjdk.jmh.annotations.Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ForkJoin.TASKS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class ForkJoin {
  static final int TASKS = 10_000;

  private static final long SUM = (long) TASKS * (TASKS - 1) / 2;

  private final Integer[] numbers = new Integer[TASKS];
  private final Integer[] results = new Integer[TASKS];
  private final Thread[] threads = new Thread[TASKS];
  private final List<Task<Integer>> tasks = new ArrayList<>(TASKS);
  private final List<Future<Integer>> futures = new ArrayList<>(TASKS);

  @Setup
  public void box() {
    for (int i = 0; i < TASKS; i++) {
      numbers[i] = i;
    }
    Expect.equal("tracking", 0, Baton.tracking().isOn() ? 1 : 0);
  }

  @Benchmark
  public long bareThreads() throws InterruptedException {
    for (int i = 0; i < TASKS; i++) {
      int task = i;
      threads[i] = Thread.ofVirtual().start(() -> results[task] = numbers[task]);
    }
    long sum = 0;
    for (int i = 0; i < TASKS; i++) {
      threads[i].join();
      sum += results[i];
    }
    return checked(sum);
  }

  @Benchmark
  public long batonScope() throws Exception {
    long sum = 0;
    try (Scope scope = Scope.open()) {
      for (int i = 0; i < TASKS; i++) {
        int task = i;
        tasks.add(scope.fork(() -> numbers[task]));
      }
      scope.join();
      for (Task<Integer> task : tasks) {
        sum += task.result();
      }
    }
    tasks.clear();
    return checked(sum);
  }

  @Benchmark
  public long executor() throws Exception {
    long sum = 0;
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TASKS; i++) {
        int task = i;
        futures.add(executor.submit(() -> numbers[task]));
      }
      for (Future<Integer> future : futures) {
        sum += future.get();
      }
    }
    futures.clear();
    return checked(sum);
  }

  private static long checked(long sum) {
    Expect.equal("sum of the results", SUM, sum);
    return sum;
  }
}
