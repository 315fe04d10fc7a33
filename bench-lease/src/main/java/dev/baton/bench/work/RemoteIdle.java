// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What is sent while many wait for one name and nobody releases: to stay in line, and to find out whose time is over. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
public class RemoteIdle {
  private static final long POLL_MILLIS = 20;

  @Param({"100", "10000"})
  int waiters;

  @Param({"batonRedis"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  /** As long as a lease lasts without being renewed. */
  @Param({"30"})
  int seconds;

  @Benchmark
  public void idle(IdleCommands idle) throws Exception {
    try (RedisProcess redis = new RedisProcess();
        RemoteStore store = RemoteStore.of(Peer.of(impl), redis, waiters)) {
      RemoteGate gate = store.gate("bench", 1);
      Object held = gate.acquire();
      AtomicInteger served = new AtomicInteger();
      Thread[] threads = new Thread[waiters];
      for (int i = 0; i < waiters; i++) {
        threads[i] = Thread.ofVirtual().start(() -> serve(gate, served));
      }
      while (gate.waiting() < waiters) {
        Thread.sleep(POLL_MILLIS);
      }
      long start = redis.commands();
      Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
      idle.idleCommands = (double) (redis.commands() - start) / seconds;
      Expect.equal("those who were served meanwhile", 0, served.get());
      gate.release(held);
      for (Thread thread : threads) {
        thread.join();
      }
      Expect.equal("those who were served", waiters, served.get());
    }
  }

  private static void serve(RemoteGate gate, AtomicInteger served) {
    try {
      gate.release(gate.acquire());
      served.incrementAndGet();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
