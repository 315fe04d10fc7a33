// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * Two who send, each through a buffer of 64 of its own, and one who receives whichever message is there first. One operation is one
 * message, sent and selected.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(100_000)
@Warmup(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class SelectMessages {
  @Param({"2"})
  int channels;

  @Param({"batonSelect", "biasedSelect", "joxSelect", "kotlinSelect"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @Nullable Duration timeout() {
    return null;
  }

  @Benchmark
  public void messages(BenchmarkParams params, Cpu cpu) throws InterruptedException {
    int messages = params.getOpsPerInvocation();
    cpu.run(() -> Traffic.select(Peer.of(impl), channels, 64, timeout(), messages), messages);
  }
}
