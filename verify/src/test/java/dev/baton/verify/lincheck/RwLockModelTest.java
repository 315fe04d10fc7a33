// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import dev.baton.sync.Guard;
import dev.baton.sync.RwLock;
import dev.baton.sync.UpgradableGuard;
import dev.baton.sync.WriteGuard;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Readers, writers, downgrades and upgrades, whose waits end in every way. */
class RwLockModelTest {
  /** More than there are: those before and after the parallel part count too. */
  private static final int THREADS = 8;

  private static final Duration SOON = Duration.ofNanos(10);

  @Test
  void sectionsEndCleanlyHoweverTheirWaitsEnd() {
    Search.random(3, 1).iterations(Effort.of(3, 40)).invocationsPerIteration(Effort.of(40, 1_000)).check(Sections.class);
  }

  @Test
  void triesAgreeWithSomeOrder() {
    Search.random(2, 3).sequentialSpecification(TriesSpec.class).check(Tries.class);
  }

  @Test
  void anUpgradeGoesBeforeAQueuedWriter() {
    Search.scripted()
        .sequentialSpecification(UpgradeSpec.class)
        .addCustomScenario(
            Search.scenario(
                List.of(call("startUpgradable"), call("startReading"), call("queueWriter")),
                List.of(List.of(call("upgrade")), List.of(call("stopReading"))),
                List.of(call("closeUpgradable"), call("writerEnters"))))
        .check(Upgrade.class);
  }

  @Test
  void aDowngradeLetsNoQueuedWriterIn() {
    Search.scripted()
        .addCustomScenario(
            Search.scenario(
                List.of(callDowngrade("write")),
                List.of(List.of(callDowngrade("downgrade")), List.of(callDowngrade("queueWriter"))),
                List.of(callDowngrade("stopReading"), callDowngrade("writerEnters"))))
        .check(Downgrade.class);
  }

  @Test
  void aGuardClosedWhileItIsUpgradedOrDowngradedLeavesNothing() {
    Search.scripted()
        .addCustomScenario(
            Search.scenario(
                List.of(callClose("start")),
                List.of(List.of(callClose("upAndDown")), List.of(callClose("close"))),
                List.of()))
        .check(Closing.class);
  }

  private static Actor call(String operation) {
    return Search.call(Upgrade.class, operation);
  }

  private static Actor callDowngrade(String operation) {
    return Search.call(Downgrade.class, operation);
  }

  private static Actor callClose(String operation) {
    return Search.call(Closing.class, operation);
  }

  private static void requireFree(RwLock lock) {
    if (lock.isWriteLocked() || lock.readerCount() != 0 || lock.waiting() != 0 || !lock.writeLock().tryLock()) {
      throw new IllegalStateException("Not at rest: " + lock + ", " + lock.waiting() + " waiting");
    }
    lock.writeLock().unlock();
    try (UpgradableGuard guard = lock.tryUpgradable().orElseThrow()) {
      if (!guard.tryUpgrade()) {
        throw new IllegalStateException("Not free for an upgrade: " + lock);
      }
    }
  }

  /** What readers and writers see of each other. At most two readers, so that a third waits too. */
  public static class Sections {
    private final RwLock lock = RwLock.withMaxReaders(2);
    private volatile int written;

    @Operation
    public void read() {
      Ends.whenWoken(
          () -> {
            lock.readLock().lockInterruptibly();
            look();
            lock.readLock().unlock();
          });
    }

    @Operation
    public void write() {
      Ends.whenWoken(
          () -> {
            lock.writeLock().lockInterruptibly();
            change();
            lock.writeLock().unlock();
          });
    }

    @Operation
    public void writeUnlessInterrupted() {
      Ends.byInterrupt(
          () -> {
            lock.writeLock().lockInterruptibly();
            change();
            lock.writeLock().unlock();
          });
    }

    @Operation
    public void readUnlessTimedOut() {
      Ends.byTimeOut(
          () -> {
            if (lock.readLock().tryLock(SOON)) {
              look();
              lock.readLock().unlock();
            }
          });
    }

    @Operation
    public void writeThenRead() {
      Ends.whenWoken(
          () -> {
            lock.writeLock().lockInterruptibly();
            int mine = change();
            lock.downgrade();
            if (look() != mine) {
              throw new IllegalStateException("Somebody wrote while this one went on to read");
            }
            lock.readLock().unlock();
          });
    }

    @Operation
    public void upgrade() {
      Ends.whenWoken(() -> upgradeIn(Duration.ofDays(1)));
    }

    @Operation
    public void upgradeUnlessInterrupted() {
      Ends.byInterrupt(() -> upgradeIn(Duration.ofDays(1)));
    }

    private void upgradeIn(Duration timeout) throws InterruptedException {
      try (UpgradableGuard guard = lock.upgradable()) {
        int before = look();
        if (guard.upgrade(timeout)) {
          if (written != before || !lock.writeLock().isHeldByCurrentThread()) {
            throw new IllegalStateException("Somebody wrote while this one upgraded");
          }
          int mine = change();
          guard.downgrade();
          if (look() != mine) {
            throw new IllegalStateException("Somebody wrote while this one went back to reading");
          }
        }
      }
    }

    @Operation
    public void cancelledFuture() {
      CompletableFuture<WriteGuard> future = lock.writeLock().lockAsync();
      if (!future.cancel(false)) {
        change();
        future.join().close();
      }
    }

    @Validate
    public void atRest() {
      requireFree(lock);
    }

    /** Even while nobody writes; the same as long as somebody reads. */
    private int look() {
      int seen = written;
      if (seen % 2 != 0 || written != seen) {
        throw new IllegalStateException("Somebody writes while somebody reads");
      }
      return seen;
    }

    private int change() {
      int before = written;
      if (before % 2 != 0) {
        throw new IllegalStateException("Two write");
      }
      written = before + 1;
      written = before + 2;
      return before + 2;
    }
  }

  /** Everything that never waits. Each thread unlocks only what it holds: no order explains what a wrong unlock may do. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class Tries {
    private final RwLock lock = new RwLock();
    private final int[] reads = new int[THREADS];

    @Operation
    public boolean tryRead(@Param(name = "thread") int thread) {
      if (!lock.readLock().tryLock()) {
        return false;
      }
      reads[thread]++;
      return true;
    }

    @Operation
    public boolean unlockRead(@Param(name = "thread") int thread) {
      if (reads[thread] == 0) {
        return false;
      }
      reads[thread]--;
      lock.readLock().unlock();
      return true;
    }

    @Operation
    public boolean tryWrite(@Param(name = "thread") int thread) {
      return lock.writeLock().tryLock();
    }

    @Operation
    public boolean unlockWrite(@Param(name = "thread") int thread) {
      try {
        lock.writeLock().unlock();
        return true;
      } catch (IllegalMonitorStateException e) {
        return false;
      }
    }

    @Operation
    public boolean downgrade(@Param(name = "thread") int thread) {
      try {
        lock.downgrade();
      } catch (IllegalMonitorStateException e) {
        return false;
      }
      reads[thread]++;
      return true;
    }

    @Operation
    public int readers() {
      return lock.readerCount();
    }

    @Operation
    public boolean written() {
      return lock.isWriteLocked();
    }
  }

  /** The same, one call after the other. */
  public static class TriesSpec {
    private static final int NOBODY = -1;

    private final int[] reads = new int[THREADS];
    private int readers;
    private int writer = NOBODY;

    public boolean tryRead(int thread) {
      if (writer != NOBODY) {
        return false;
      }
      readers++;
      reads[thread]++;
      return true;
    }

    public boolean unlockRead(int thread) {
      if (reads[thread] == 0) {
        return false;
      }
      readers--;
      reads[thread]--;
      return true;
    }

    public boolean tryWrite(int thread) {
      if (writer != NOBODY || readers > 0) {
        return false;
      }
      writer = thread;
      return true;
    }

    public boolean unlockWrite(int thread) {
      if (writer != thread) {
        return false;
      }
      writer = NOBODY;
      return true;
    }

    public boolean downgrade(int thread) {
      if (!unlockWrite(thread)) {
        return false;
      }
      return tryRead(thread);
    }

    public int readers() {
      return readers;
    }

    public boolean written() {
      return writer != NOBODY;
    }
  }

  /** An upgrade that waits for a reader to leave while a writer has queued: behind that one it would wait for ever. */
  public static class Upgrade {
    private final RwLock lock = new RwLock();
    private @Nullable UpgradableGuard guard;
    private @Nullable CompletableFuture<WriteGuard> writer;

    @Operation
    public boolean startUpgradable() {
      guard = lock.tryUpgradable().orElse(null);
      return guard != null;
    }

    @Operation
    public boolean startReading() {
      return lock.readLock().tryLock();
    }

    @Operation
    public void stopReading() {
      lock.readLock().unlock();
    }

    @Operation
    public boolean upgrade() {
      UpgradableGuard reading = guard;
      if (reading == null) {
        return false;
      }
      boolean[] result = new boolean[1];
      Ends.onlyWhenWoken(
          () -> {
            reading.upgrade();
            result[0] = lock.isWriteLocked() && reading.isUpgraded();
          });
      return result[0];
    }

    @Operation
    public boolean queueWriter() {
      CompletableFuture<WriteGuard> asked = lock.writeLock().lockAsync();
      writer = asked;
      return asked.isDone();
    }

    @Operation
    public void closeUpgradable() {
      if (guard != null) {
        guard.close();
      }
    }

    @Operation
    public boolean writerEnters() {
      CompletableFuture<WriteGuard> asked = writer;
      if (asked == null || !asked.isDone()) {
        return false;
      }
      asked.join().close();
      return true;
    }

    @Validate
    public void atRest() {
      requireFree(lock);
    }
  }

  /** What each must return, in whatever order: one that waits cannot be run one call after the other. */
  public static class UpgradeSpec {
    public boolean startUpgradable() {
      return true;
    }

    public boolean startReading() {
      return true;
    }

    public void stopReading() {}

    public boolean upgrade() {
      return true;
    }

    public boolean queueWriter() {
      return false;
    }

    public void closeUpgradable() {}

    public boolean writerEnters() {
      return true;
    }
  }

  /** A writer that goes on reading against a writer that has queued. */
  public static class Downgrade {
    private final RwLock lock = new RwLock();
    private @Nullable WriteGuard writing;
    private @Nullable Guard reading;
    private @Nullable CompletableFuture<WriteGuard> next;
    private boolean wrong;

    @Operation
    public void write() {
      writing = lock.writeLock().lockAsync().join();
    }

    @Operation
    public void downgrade() {
      WriteGuard guard = writing;
      if (guard != null) {
        reading = guard.downgrade();
      }
    }

    @Operation
    public boolean queueWriter() {
      CompletableFuture<WriteGuard> asked = lock.writeLock().lockAsync();
      next = asked;
      return asked.isDone();
    }

    @Operation
    public void stopReading() {
      Guard guard = reading;
      if (guard != null) {
        // The same in every order, so that only a look at the end can tell.
        wrong = lock.isWriteLocked() || lock.readerCount() != 1;
        guard.close();
      }
    }

    @Operation
    public boolean writerEnters() {
      CompletableFuture<WriteGuard> asked = next;
      if (asked == null || !asked.isDone()) {
        return false;
      }
      asked.join().close();
      return true;
    }

    @Validate
    public void atRest() {
      if (wrong) {
        throw new IllegalStateException("A downgraded writer did not go on reading alone");
      }
      requireFree(lock);
    }
  }

  /** A guard that one thread uses and another closes. */
  public static class Closing {
    private final RwLock lock = new RwLock();
    private @Nullable UpgradableGuard guard;

    @Operation
    public void start() {
      guard = lock.tryUpgradable().orElse(null);
    }

    @Operation
    public void upAndDown() {
      UpgradableGuard used = guard;
      if (used == null) {
        return;
      }
      try {
        if (used.tryUpgrade()) {
          used.downgrade();
        }
      } catch (IllegalStateException e) {
        // The other was first.
      }
    }

    @Operation
    public void close() {
      UpgradableGuard used = guard;
      if (used != null) {
        used.close();
      }
    }

    @Validate
    public void atRest() {
      if (guard != null) {
        requireFree(lock);
      }
    }
  }
}
