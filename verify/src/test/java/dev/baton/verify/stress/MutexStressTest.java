// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** A plain counter under a mutex, and a plain buffer under a mutex with two conditions. */
class MutexStressTest {
  private static final int ROOM = 3;

  private final Mutex mutex = new Mutex();
  private final Condition filled = mutex.newCondition();
  private final Condition emptied = mutex.newCondition();
  private final AtomicLong entered = new AtomicLong();

  // Guarded by the mutex, and by nothing else.
  private long counter;
  private int elements;
  private long put;
  private long taken;

  @Test
  void aThousandVirtualThreadsCount() {
    count(Crowd.ofVirtualThreads(), 1_000);
  }

  @Test
  void platformThreadsCount() {
    count(Crowd.ofPlatformThreads(), 32);
  }

  @Test
  void producersAndConsumersOnVirtualThreads() {
    produceAndConsume(Crowd.ofVirtualThreads(), 400);
  }

  @Test
  void producersAndConsumersOnPlatformThreads() {
    produceAndConsume(Crowd.ofPlatformThreads(), 16);
  }

  private void count(Crowd crowd, int size) {
    crowd.runFor(size, Duration.ofMillis(Effort.of(1_500, 60_000)), this::enterSomehow);
    crowd.requireSoon(() -> !mutex.isLocked() && mutex.waiting() == 0, mutex::toString);
    crowd.requireSoon(() -> counter == entered.get(), () -> counter + " counted, " + entered + " entered");
  }

  private void enterSomehow(int thread, SplittableRandom random) throws Exception {
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        mutex.lock();
        increment();
        mutex.unlock();
      }
      case 2 -> {
        mutex.lockInterruptibly();
        increment();
        mutex.unlock();
      }
      case 3 -> {
        if (mutex.tryLock()) {
          increment();
          mutex.unlock();
        }
      }
      case 4 -> {
        if (mutex.tryLock(soon(random))) {
          increment();
          mutex.unlock();
        }
      }
      case 5 -> {
        try (Guard _ = mutex.guard(soon(random))) {
          increment();
        } catch (TimeoutException e) {
          // nothing held
        }
      }
      default -> lockByFuture(random);
    }
  }

  private void lockByFuture(SplittableRandom random) throws InterruptedException {
    CompletableFuture<Guard> future =
        random.nextBoolean() ? mutex.lockAsync() : mutex.lockAsync(soon(random));
    try (Guard _ = future.get()) {
      increment();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw new AssertionError(e);
      }
    } catch (InterruptedException e) {
      if (!future.cancel(false) && !future.isCompletedExceptionally()) {
        future.join().close();
      }
      throw e;
    }
  }

  private static Duration soon(SplittableRandom random) {
    return Duration.ofNanos(random.nextInt(200_000));
  }

  private void increment() {
    entered.incrementAndGet();
    counter++;
  }

  /** Half put, half take, all the same number: without a lost signal they come to an end by themselves. */
  private void produceAndConsume(Crowd crowd, int size) {
    crowd.runTimes(
        size,
        Effort.of(20, 500),
        (thread, random) -> {
          boolean done = false;
          while (!done) {
            done = thread % 2 == 0 ? put(random) : take(random);
          }
        });
    crowd.requireSoon(
        () -> put == taken && elements == 0 && !mutex.isLocked(), () -> put + " put, " + taken + " taken, " + mutex);
  }

  private boolean put(SplittableRandom random) {
    mutex.lock();
    try {
      while (elements == ROOM) {
        if (!await(emptied, random)) {
          return false;
        }
      }
      elements++;
      put++;
      filled.signal();
      return true;
    } finally {
      mutex.unlock();
    }
  }

  private boolean take(SplittableRandom random) {
    mutex.lock();
    try {
      while (elements == 0) {
        if (!await(filled, random)) {
          return false;
        }
      }
      elements--;
      taken++;
      emptied.signal();
      return true;
    } finally {
      mutex.unlock();
    }
  }

  /** False if the wait was given up; a wait that was signalled goes on to look, so its signal is not wasted. */
  private boolean await(Condition condition, SplittableRandom random) {
    boolean signalled = awaitSomehow(condition, random);
    if (!mutex.isHeldByCurrentThread()) {
      throw new AssertionError("A wait ended without the lock");
    }
    return signalled;
  }

  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
  private static boolean awaitSomehow(Condition condition, SplittableRandom random) {
    try {
      switch (random.nextInt(4)) {
        case 0 -> condition.awaitUninterruptibly();
        case 1 -> {
          return condition.await(random.nextInt(200), TimeUnit.MICROSECONDS);
        }
        default -> condition.await();
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
