// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.effect.Effects;
import dev.baton.effect.Runner;
import dev.baton.runtime.Engine;
import dev.baton.scope.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kotlin.Unit;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineStart;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Spawns tasks, waits for all of them by one gather, and adds their results up, each time in a run of its own; on the portable engine
 * with one carrier. Kotlin launches as many coroutines on one thread, and their scope waits for them. One operation is one task.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(EffectSpawn.TASKS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    })
public class EffectSpawn {
  static final int TASKS = 100_000;

  @Param({"1000", "100000"})
  int tasks;

  private Integer[] numbers = {};

  Engine engine() {
    return Engine.PORTABLE;
  }

  @Setup
  public void box() {
    numbers = new Integer[tasks];
    for (int i = 0; i < tasks; i++) {
      numbers[i] = i;
    }
  }

  @Benchmark
  public void batonSpawn() throws Exception {
    for (int done = 0; done < TASKS; done += tasks) {
      checked(Runner.create().engine(engine()).run(this::spawnAndGather).orThrow());
    }
  }

  private long spawnAndGather() {
    List<Task<Integer>> all = new ArrayList<>(tasks);
    for (int i = 0; i < tasks; i++) {
      Integer number = numbers[i];
      all.add(Effects.spawn(() -> number));
    }
    long sum = 0;
    for (Integer number : Effects.gather(all)) {
      sum += number;
    }
    return sum;
  }

  @Benchmark
  public void kotlinLaunch() throws InterruptedException {
    for (int done = 0; done < TASKS; done += tasks) {
      checked(launchAndJoin());
    }
  }

  private long launchAndJoin() throws InterruptedException {
    long[] sum = new long[1];
    BuildersKt.runBlocking(
        EmptyCoroutineContext.INSTANCE,
        (scope, caller) -> {
          for (int i = 0; i < tasks; i++) {
            Integer number = numbers[i];
            BuildersKt.launch(
                scope,
                EmptyCoroutineContext.INSTANCE,
                CoroutineStart.DEFAULT,
                (child, own) -> {
                  sum[0] += number;
                  return Unit.INSTANCE;
                });
          }
          return Unit.INSTANCE;
        });
    return sum[0];
  }

  private void checked(long sum) {
    Expect.equal("sum of the results", (long) tasks * (tasks - 1) / 2, sum);
  }
}
