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
 * Messages handed over without a buffer, from as many who send to as many who receive: for each, two workers meet. One operation
 * is one message, sent and received; starting the workers and waiting for their end is part of it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(200_000)
@Warmup(iterations = 10, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class RendezvousMessages {
  @Param({"1", "8", "1000"})
  int pairs;

  @Param({"batonChannel", "jox", "kotlinChannel", "synchronousQueue", "transferQueue"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @Benchmark
  public void messages(BenchmarkParams params, Cpu cpu) throws InterruptedException {
    int messages = params.getOpsPerInvocation();
    cpu.run(() -> Traffic.manyToMany(Peer.of(impl), 0, pairs, messages), messages);
  }
}
