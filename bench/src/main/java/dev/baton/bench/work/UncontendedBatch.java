// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Batches;
import dev.baton.bench.peer.Peer;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Sixty-four items put one by one and taken together, by one platform thread that nobody disturbs. One operation is one item. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class UncontendedBatch {
  private static final int BATCH = 64;
  private static final Object ITEM = "item";

  @Param({"batonBatch", "linkedQueue"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Batches batches;

  private long taken;

  @Setup
  public void make() {
    batches = Peer.of(impl).batches();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public List<Object> batch() throws InterruptedException {
    for (int i = 0; i < BATCH; i++) {
      batches.put(ITEM);
    }
    List<Object> batch = batches.take(BATCH);
    taken += batch.size();
    return batch;
  }

  @TearDown
  public void nothingIsLeft() {
    Expect.equal("items left", 0, batches.size());
    Expect.equal("items beyond whole batches", 0, taken % BATCH);
  }
}
