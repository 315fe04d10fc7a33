// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.sync.ClosedException;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Close beside acquirers of all kinds, and the order in which those who wait are served. */
class CloseAndOrderStressTest {

  @Test
  void closeLetsNobodyWaitOnAndLosesNothing() {
    for (int round = 0; round < Effort.of(150, 5_000); round++) {
      closeOnce(round % 2 == 0 ? Crowd.ofVirtualThreads() : Crowd.ofPlatformThreads(), round);
    }
  }

  private static void closeOnce(Crowd crowd, int round) {
    Semaphore semaphore = Semaphore.of(2);
    AtomicLong granted = new AtomicLong();
    int closer = round % 8;
    crowd.runTimes(
        8,
        6,
        (thread, random) -> {
          if (thread == closer) {
            // After a while that is counted in work done, not in time.
            for (int i = random.nextInt(200); i > 0; i--) {
              semaphore.snapshot();
            }
            semaphore.close();
            return;
          }
          boolean wasClosed = semaphore.isClosed();
          try {
            acquireSomehow(semaphore, random);
          } catch (ClosedException e) {
            return;
          }
          if (wasClosed) {
            throw new AssertionError("Granted after close");
          }
          granted.incrementAndGet();
        });
    crowd.requireSoon(
        () -> semaphore.snapshot().held() == 0 && semaphore.waiting() == 0,
        () -> granted + " granted, " + semaphore.snapshot());
  }

  private static void acquireSomehow(Semaphore semaphore, SplittableRandom random) throws InterruptedException {
    int n = 1 + random.nextInt(2);
    switch (random.nextInt(4)) {
      case 0 -> {
        semaphore.acquire(n);
        semaphore.release(n);
      }
      case 1 -> {
        semaphore.acquireUninterruptibly(n);
        semaphore.release(n);
      }
      case 2 -> {
        // So long that only a grant or the close ends it.
        if (!semaphore.tryAcquire(n, Duration.ofHours(1))) {
          throw new AssertionError("Timed out");
        }
        semaphore.release(n);
      }
      default -> {
        CompletableFuture<Permit> future = semaphore.acquireAsync(n);
        try {
          future.join().close();
        } catch (CompletionException e) {
          if (e.getCause() instanceof ClosedException closed) {
            throw closed;
          }
          throw new AssertionError(e);
        }
      }
    }
  }

  @Test
  void waitersOfEveryKindAreServedInTheOrderInWhichTheyCame() {
    int size = Effort.of(200, 2_000);
    Crowd crowd = Crowd.ofVirtualThreads();
    Semaphore semaphore = Semaphore.of(5);
    semaphore.acquireUninterruptibly(5);
    List<Integer> served = new CopyOnWriteArrayList<>();
    for (int i = 0; i < size; i++) {
      int waiter = i;
      // More than half: one at a time is served, so the order shows.
      int n = 3 + i % 3;
      if (i % 4 == 0) {
        semaphore.acquireAsync(n).thenAccept(permit -> serve(served, waiter, permit::close));
      } else {
        Thread.Builder builder = i % 4 == 1 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
        builder.start(
            () -> {
              semaphore.acquireUninterruptibly(n);
              serve(served, waiter, () -> semaphore.release(n));
            });
      }
      crowd.requireSoon(() -> semaphore.waiting() == waiter + 1, semaphore::snapshot);
    }
    semaphore.release(5);
    crowd.requireSoon(() -> served.size() == size && semaphore.available() == 5, semaphore::snapshot);
    if (!served.equals(IntStream.range(0, size).boxed().toList())) {
      throw new AssertionError("Served in this order: " + served);
    }
  }

  private static void serve(List<Integer> served, int waiter, Runnable release) {
    served.add(waiter);
    release.run();
  }
}
