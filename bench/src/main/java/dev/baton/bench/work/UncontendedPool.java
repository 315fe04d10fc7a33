// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Lender;
import dev.baton.bench.peer.Peer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Borrowing a resource of eight and giving it back, by one platform thread that nobody disturbs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g"})
public class UncontendedPool {
  private static final int LIMIT = 8;

  @Param({"batonPool", "commonsPool", "commonsPoolFair", "hikariBag"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  @SuppressWarnings("NullAway.Init")
  private Lender lender;

  @Setup
  public void make() {
    lender = Peer.of(impl).lender(LIMIT);
  }

  @Benchmark
  public Object pair() throws Exception {
    Object borrowed = lender.borrow();
    lender.giveBack(borrowed);
    return borrowed;
  }

  @TearDown
  public void nothingIsLost() {
    Expect.equal("idle resources, of those that exist", lender.live(), lender.idle());
  }
}
