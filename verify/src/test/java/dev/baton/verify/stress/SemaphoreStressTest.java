// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** All operations at once on one semaphore. What is in use is counted beside it and must never be more than its limit. */
class SemaphoreStressTest {
  private static final int LIMIT = 8;

  /** The limit never falls below this, so requests up to this many are never refused. */
  private static final int LEAST = 4;

  private final Semaphore semaphore = Semaphore.of(LIMIT);
  private final AtomicLong inUse = new AtomicLong();
  private final AtomicLong unfinished = new AtomicLong();
  private final AtomicReference<@Nullable CompletableFuture<Permit>> handedOver = new AtomicReference<>();

  /** Changes of the limit come one at a time, so that each knows what it changes. */
  private final Object limitLock = new Object();

  @Test
  void aThousandVirtualThreads() {
    stress(Crowd.ofVirtualThreads(), 1_000);
  }

  @Test
  void platformThreads() {
    stress(Crowd.ofPlatformThreads(), 32);
  }

  private void stress(Crowd crowd, int size) {
    crowd.runFor(size, Duration.ofMillis(Effort.of(2_500, 60_000)), this::anything);
    CompletableFuture<Permit> last = handedOver.getAndSet(null);
    if (last != null) {
      last.cancel(false);
    }
    crowd.requireSoon(
        () -> unfinished.get() == 0 && semaphore.available() == LIMIT,
        () -> unfinished.get() + " futures unfinished, " + semaphore.snapshot());
    Semaphore.Snapshot end = semaphore.snapshot();
    crowd.requireSoon(
        () -> end.held() == 0 && end.debt() == 0 && end.waiting().isEmpty() && end.limit() == LIMIT && inUse.get() == 0,
        () -> inUse.get() + " in use, " + end);
  }

  private void anything(int thread, SplittableRandom random) throws Exception {
    int n = 1 + random.nextInt(random.nextInt(4) == 0 ? LIMIT : 2);
    try {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> {
          semaphore.acquire();
          use(1);
          semaphore.release();
          n = 1;
        }
        case 3 -> {
          semaphore.acquire(n);
          use(n);
          semaphore.release(n);
        }
        case 4 -> {
          semaphore.acquireUninterruptibly(n);
          use(n);
          semaphore.release(n);
        }
        case 5 -> {
          if (semaphore.tryAcquire(n)) {
            use(n);
            semaphore.release(n);
          }
        }
        case 6 -> {
          if (semaphore.tryAcquire(n, soon(random))) {
            use(n);
            semaphore.release(n);
          }
        }
        case 7 -> awaitFuture(n);
        case 8 -> finish(semaphore.acquireAsync(n)).orTimeout(random.nextInt(500) + 1, TimeUnit.MICROSECONDS);
        case 9 -> finish(semaphore.acquireAsync(n, soon(random)));
        case 10 -> endSomebodyElses(finish(semaphore.acquireAsync(n)), random);
        case 11 -> splitAndMerge(n, random);
        case 12 -> throwInside(n);
        case 13 -> changeLimit(random);
        case 14 -> forgetAndRestore(random);
        default -> look();
      }
    } catch (IllegalArgumentException e) {
      // Refused: more than the limit of that moment.
      if (n <= LEAST) {
        throw new AssertionError("A request that always fits was refused", e);
      }
    }
  }

  private static Duration soon(SplittableRandom random) {
    return Duration.ofNanos(random.nextInt(300_000));
  }

  private void use(long n) {
    long now = inUse.addAndGet(n);
    if (now > LIMIT) {
      throw new AssertionError(now + " permits in use, the limit is " + LIMIT);
    }
    inUse.addAndGet(-n);
  }

  private void awaitFuture(long n) throws InterruptedException {
    CompletableFuture<Permit> future = semaphore.acquireAsync(n);
    try (Permit permit = future.get()) {
      use(permit.count());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      if (!future.cancel(false) && !future.isCompletedExceptionally()) {
        future.join().close();
      }
      throw e;
    }
  }

  /** Uses and returns the permit, if the future ever gets one. */
  private CompletableFuture<Permit> finish(CompletableFuture<Permit> future) {
    unfinished.incrementAndGet();
    future.whenComplete(
        (permit, failure) -> {
          if (failure == null) {
            use(permit.count());
            permit.close();
          }
          unfinished.decrementAndGet();
        });
    return future;
  }

  private void endSomebodyElses(CompletableFuture<Permit> mine, SplittableRandom random) {
    CompletableFuture<Permit> theirs = handedOver.getAndSet(mine);
    if (theirs == null) {
      return;
    }
    if (random.nextBoolean()) {
      theirs.cancel(true);
    } else {
      theirs.completeExceptionally(new IllegalStateException("no longer needed"));
    }
  }

  private void splitAndMerge(long n, SplittableRandom random) throws InterruptedException {
    try (Permit whole = semaphore.hold(n, soon(random))) {
      use(n);
      Permit part = whole.split(random.nextLong(n + 1));
      if (random.nextBoolean()) {
        whole.merge(part);
      } else {
        part.close();
      }
    } catch (TimeoutException e) {
      // nothing held
    }
  }

  private void throwInside(long n) throws InterruptedException {
    try {
      semaphore.withPermit(
          n,
          () -> {
            use(n);
            throw new ArithmeticException("thrown inside");
          });
      throw new AssertionError("The body's exception was lost");
    } catch (ArithmeticException expected) {
      // and the permits are back
    }
  }

  private void changeLimit(SplittableRandom random) {
    synchronized (limitLock) {
      semaphore.resize(LEAST + random.nextInt(LIMIT - LEAST + 1));
      look();
      semaphore.resize(LIMIT);
    }
  }

  private void forgetAndRestore(SplittableRandom random) {
    synchronized (limitLock) {
      if (random.nextBoolean()) {
        long gone = semaphore.forget(LIMIT - LEAST);
        if (semaphore.limit() != LIMIT - gone) {
          throw new AssertionError(gone + " forgotten, and the limit is " + semaphore.limit());
        }
      } else {
        Optional<Permit> one = semaphore.tryHold();
        one.ifPresent(Permit::forget);
      }
      semaphore.resize(LIMIT);
    }
  }

  private void look() {
    Semaphore.Snapshot s = semaphore.snapshot();
    if (s.free() + s.reserved() + s.held() != s.limit() + s.debt()
        || s.free() < 0
        || s.held() < 0
        || s.held() > LIMIT
        || (s.free() > 0 && !s.waiting().isEmpty() && s.waiting().getFirst().permits() <= s.reserved())) {
      throw new AssertionError("Does not add up: " + s);
    }
    if (semaphore.available() > LIMIT || semaphore.waiting() < 0) {
      throw new AssertionError(semaphore + " with " + semaphore.waiting() + " waiting");
    }
  }
}
