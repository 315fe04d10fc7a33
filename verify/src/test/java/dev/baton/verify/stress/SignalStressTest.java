// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.sync.Barrier;
import dev.baton.sync.Notify;
import dev.baton.sync.OnceCell;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Notifications, meetings and initializers among threads that are interrupted at random. */
class SignalStressTest {
  private final Notify arrived = new Notify();
  private final AtomicInteger mail = new AtomicInteger();

  @Test
  void noNotificationIsLostOnVirtualThreads() {
    deliver(Crowd.ofVirtualThreads(), 400);
  }

  @Test
  void noNotificationIsLostOnPlatformThreads() {
    deliver(Crowd.ofPlatformThreads(), 16);
  }

  /** Half put, half take, all the same number: without a lost notification they come to an end by themselves. */
  private void deliver(Crowd crowd, int size) {
    crowd.runTimes(
        size,
        Effort.of(40, 1_000),
        (thread, random) -> {
          if (thread % 2 == 0) {
            mail.incrementAndGet();
            tell(random);
          } else {
            take(random);
          }
        });
    crowd.requireSoon(() -> mail.get() == 0 && arrived.waiting() == 0, () -> mail + " left, " + arrived);
  }

  private void tell(SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> arrived.notifyLast();
      case 1 -> {
        // Wakes whoever waits; the one that is kept is for whoever comes.
        arrived.notifyEveryone();
        arrived.notifyOne();
      }
      default -> arrived.notifyOne();
    }
  }

  private void take(SplittableRandom random) {
    while (true) {
      int there = mail.get();
      if (there == 0) {
        waitSomehow(random);
      } else if (mail.compareAndSet(there, there - 1)) {
        if (there > 1) {
          // Of several notifications one is kept: whoever is told tells the next.
          arrived.notifyOne();
        }
        return;
      }
    }
  }

  /** No time-outs: they would hide a notification that was lost. */
  private void waitSomehow(SplittableRandom random) {
    try {
      switch (random.nextInt(4)) {
        case 0 -> arrived.awaitUninterruptibly();
        case 1 -> {
          CompletableFuture<Void> future = arrived.awaitAsync();
          try {
            future.get();
          } catch (InterruptedException e) {
            future.cancel(false);
          }
        }
        default -> arrived.await();
      }
    } catch (InterruptedException e) {
      // Took nothing; looks again.
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyRoundHasItsNumberAndOneLeaderOnVirtualThreads() {
    meet(Crowd.ofVirtualThreads(), 200);
  }

  @Test
  void everyRoundHasItsNumberAndOneLeaderOnPlatformThreads() {
    meet(Crowd.ofPlatformThreads(), 16);
  }

  private static void meet(Crowd crowd, int size) {
    Barrier barrier = Barrier.of(3);
    AtomicLong met = new AtomicLong();
    AtomicLong leaders = new AtomicLong();
    crowd.runFor(
        size,
        Duration.ofMillis(Effort.of(1_000, 60_000)),
        (thread, random) -> {
          try {
            if (arriveSomehow(barrier, random)) {
              leaders.incrementAndGet();
            }
            met.incrementAndGet();
          } catch (TimeoutException withdrawn) {
            // Does not count.
          }
        });
    crowd.requireSoon(
        () -> met.get() == 3 * barrier.generation() && leaders.get() == barrier.generation() && barrier.waiting() == 0,
        () -> met + " met, " + leaders + " led, " + barrier);
  }

  private static boolean arriveSomehow(Barrier barrier, SplittableRandom random)
      throws InterruptedException, TimeoutException {
    Duration soon = Duration.ofNanos(random.nextInt(1_000_000));
    if (random.nextInt(3) > 0) {
      return barrier.await(soon);
    }
    try {
      return barrier.awaitAsync(soon).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException late) {
        throw late;
      }
      throw new AssertionError(e);
    }
  }

  @Test
  void everyCellIsInitializedOnceHoweverManyTriesFail() {
    initialize(Crowd.ofVirtualThreads(), 100);
    initialize(Crowd.ofPlatformThreads(), 8);
  }

  private static void initialize(Crowd crowd, int size) {
    int count = Effort.of(200, 5_000);
    Cell[] cells = IntStream.range(0, count).mapToObj(i -> new Cell()).toArray(Cell[]::new);
    int[] next = new int[size];
    crowd.runTimes(size, count, (thread, random) -> cells[next[thread]++].use(random));
    for (Cell cell : cells) {
      if (cell.made.get() != 1 || cell.cell.waiting() != 0) {
        throw new AssertionError(cell.made + " made, " + cell.cell.waiting() + " waiting, " + cell.cell);
      }
    }
  }

  private static final class Cell {
    final OnceCell<Object> cell = new OnceCell<>();
    final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();

    /** Until there is a value. */
    void use(SplittableRandom random) {
      while (true) {
        try {
          Object value = random.nextBoolean() ? cell.getOrInit(() -> make(random)) : cell.getOrInit(soon(random), () -> make(random));
          if (cell.get().orElseThrow() != value) {
            throw new AssertionError("Two values");
          }
          return;
        } catch (InterruptedException | TimeoutException | UnsupportedOperationException e) {
          // tries again
        }
      }
    }

    private static Duration soon(SplittableRandom random) {
      return Duration.ofNanos(random.nextInt(100_000));
    }

    private Object make(SplittableRandom random) throws InterruptedException {
      if (inside.incrementAndGet() != 1) {
        throw new AssertionError("Two initializers at a time");
      }
      try {
        if (random.nextInt(4) != 0) {
          throw new UnsupportedOperationException("on purpose");
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        made.incrementAndGet();
        return new Object();
      } finally {
        inside.decrementAndGet();
      }
    }
  }
}
