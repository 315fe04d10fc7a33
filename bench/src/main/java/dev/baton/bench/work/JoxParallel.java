// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * As jox measures itself: 10,000 channels with one who sends and one who receives each. One operation is one message. So many
 * messages that the buffers fill.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(4_000_000)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class JoxParallel {
  @Param({"16", "100"})
  int capacity;

  @Param({"batonChannel", "jox", "kotlinChannel", "arrayQueue"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @Benchmark
  public void messages(BenchmarkParams params, Cpu cpu) throws InterruptedException {
    int messages = params.getOpsPerInvocation();
    cpu.run(() -> Traffic.parallel(Peer.of(impl), 10_000, capacity, messages), messages);
  }
}
