// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.sync.Guard;
import dev.baton.sync.RwLock;
import dev.baton.sync.UpgradableGuard;
import dev.baton.sync.WriteGuard;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two plain counters that are equal whenever nobody writes, under every kind of hold and with random interrupts. */
class RwLockStressTest {
  private final AtomicLong writes = new AtomicLong();
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger writing = new AtomicInteger();

  // Guarded by the lock, and by nothing else.
  private long left;
  private long right;

  @Test
  void aThousandVirtualThreads() {
    run(Crowd.ofVirtualThreads(), 1_000, new RwLock());
  }

  @Test
  void platformThreads() {
    run(Crowd.ofPlatformThreads(), 32, new RwLock());
  }

  @Test
  void virtualThreadsWithFewReadersAtOnce() {
    run(Crowd.ofVirtualThreads(), 200, RwLock.withMaxReaders(3));
  }

  private void run(Crowd crowd, int size, RwLock lock) {
    crowd.runFor(size, Duration.ofMillis(Effort.of(1_200, 60_000)), (thread, random) -> enterSomehow(lock, random));
    crowd.requireSoon(
        () -> lock.readerCount() == 0 && !lock.isWriteLocked() && lock.waiting() == 0,
        () -> lock + ", " + lock.waiting() + " waiting");
    crowd.requireSoon(() -> left == writes.get() && right == left, () -> left + ", " + right + " of " + writes);
    crowd.requireSoon(() -> takesAll(lock), () -> "not all of it can be taken: " + lock);
  }

  private static boolean takesAll(RwLock lock) {
    try (UpgradableGuard guard = lock.tryUpgradable().orElseThrow()) {
      return guard.tryUpgrade() && lock.isWriteLocked();
    }
  }

  private void enterSomehow(RwLock lock, SplittableRandom random) throws Exception {
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        lock.readLock().lock();
        read();
        lock.readLock().unlock();
      }
      case 2 -> {
        if (lock.readLock().tryLock(soon(random))) {
          read();
          lock.readLock().unlock();
        }
      }
      case 3 -> lock.readLock().withLock(this::read);
      case 4 -> {
        lock.writeLock().lockInterruptibly();
        write();
        lock.writeLock().unlock();
      }
      case 5 -> {
        try (WriteGuard guard = lock.writeLock().guard(soon(random))) {
          write();
          try (Guard _ = guard.downgrade()) {
            read();
          }
        } catch (TimeoutException e) {
          // nothing held
        }
      }
      case 6 -> {
        lock.writeLock().lock();
        write();
        lock.downgrade();
        read();
        lock.readLock().unlock();
      }
      case 7, 8 -> upgradeSomehow(lock, random);
      default -> lockByFuture(lock, random);
    }
  }

  private void upgradeSomehow(RwLock lock, SplittableRandom random) throws InterruptedException {
    try (UpgradableGuard guard = random.nextBoolean() ? lock.upgradable() : lock.upgradable(soon(random))) {
      read();
      long seen = left;
      boolean upgraded =
          switch (random.nextInt(3)) {
            case 0 -> guard.tryUpgrade();
            case 1 -> guard.upgrade(soon(random));
            default -> {
              guard.upgrade();
              yield true;
            }
          };
      require(left == seen, "somebody wrote before the upgrade");
      if (upgraded) {
        write();
        if (random.nextBoolean()) {
          guard.downgrade();
          read();
        }
      } else {
        read();
      }
    } catch (TimeoutException e) {
      // nothing held
    }
  }

  private void lockByFuture(RwLock lock, SplittableRandom random) throws InterruptedException {
    boolean alone = random.nextBoolean();
    CompletableFuture<? extends Guard> future =
        alone ? lock.writeLock().lockAsync(soon(random)) : lock.readLock().lockAsync();
    try (Guard _ = future.get()) {
      if (alone) {
        write();
      } else {
        read();
      }
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

  private void read() {
    reading.incrementAndGet();
    require(writing.get() == 0 && left == right, "somebody writes while somebody reads");
    reading.decrementAndGet();
  }

  private void write() {
    require(writing.incrementAndGet() == 1 && reading.get() == 0, "the writer is not alone");
    left++;
    writes.incrementAndGet();
    right++;
    writing.decrementAndGet();
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static Duration soon(SplittableRandom random) {
    return Duration.ofNanos(random.nextInt(200_000));
  }
}
