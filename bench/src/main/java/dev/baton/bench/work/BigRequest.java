// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.sync.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One request for all of 3,000 permits while eight platform threads keep taking and returning three: how long until
 * it is granted. A semaphore that lets small requests pass may never grant it, so the non-fair peer is not measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 20)
@Measurement(iterations = 50)
@Fork(value = 1, jvmArgs = {"-Xms4g", "-Xmx4g"})
public class BigRequest {
  private static final int PERMITS = 3_000;
  private static final int SMALL = 3;
  private static final int THREADS = 8;

  @Param({"baton", "jucFair"})
  @SuppressWarnings("NullAway.Init")
  String impl;

  private interface Weighted {
    void acquire(int permits) throws InterruptedException;

    void release(int permits);

    long free();
  }

  @SuppressWarnings("NullAway.Init")
  private Weighted semaphore;

  private final Thread[] threads = new Thread[THREADS];
  private volatile boolean stopped;

  @Setup
  public void startSmallOnes() {
    semaphore = impl.equals("baton") ? baton() : jucFair();
    for (int i = 0; i < THREADS; i++) {
      threads[i] = Thread.ofPlatform().daemon().start(this::repeatSmall);
    }
  }

  private void repeatSmall() {
    try {
      while (!stopped) {
        semaphore.acquire(SMALL);
        semaphore.release(SMALL);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts", e);
    }
  }

  @Benchmark
  public void acquireAll() throws InterruptedException {
    semaphore.acquire(PERMITS);
  }

  @TearDown(Level.Iteration)
  public void giveBack() throws InterruptedException {
    Expect.equal("free permits while all are held", 0, semaphore.free());
    semaphore.release(PERMITS);
    Thread.sleep(5); // between two requests the small ones run undisturbed
  }

  @TearDown
  public void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Expect.equal("free permits at the end", PERMITS, semaphore.free());
  }

  private static Weighted baton() {
    Semaphore semaphore = Semaphore.of(PERMITS);
    return new Weighted() {
      @Override
      public void acquire(int permits) throws InterruptedException {
        semaphore.acquire(permits);
      }

      @Override
      public void release(int permits) {
        semaphore.release(permits);
      }

      @Override
      public long free() {
        return semaphore.available();
      }
    };
  }

  private static Weighted jucFair() {
    var semaphore = new java.util.concurrent.Semaphore(PERMITS, true);
    return new Weighted() {
      @Override
      public void acquire(int permits) throws InterruptedException {
        semaphore.acquire(permits);
      }

      @Override
      public void release(int permits) {
        semaphore.release(permits);
      }

      @Override
      public long free() {
        return semaphore.availablePermits();
      }
    };
  }
}
