// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Blocking critical sections: real sleeping and waking, interrupts and time-outs at every place where a wait can meet them. */
class SectionModelTest {
  private static final Duration SOON = Duration.ofNanos(10);

  @Test
  void aLockedCounterLosesNoIncrement() {
    Search.random(3, 2).check(Counter.class);
  }

  @Test
  void aCounterUnderOnePermitLosesNoIncrement() {
    Search.random(3, 2).check(PermitCounter.class);
  }

  @Test
  void mutexSectionsEndCleanlyHoweverTheirWaitsEnd() {
    Search.random(3, 2).check(MutexSections.class);
  }

  @Test
  void weightedSectionsEndCleanlyHoweverTheirWaitsEnd() {
    Search.random(3, 2).check(SemaphoreSections.class);
  }

  @Test
  void aSleeperThatIsGrantedAsItFallsAsleepComesBack() {
    for (String operation : List.of("sleeping", "restless")) {
      Actor call = Search.call(SleepyCounter.class, operation);
      Search.scripted().addCustomScenario(Search.scenario(List.of(call), List.of(call))).check(SleepyCounter.class);
    }
  }

  @Test
  void aGuardClosedWhileItsOwnerUnlocksGivesTheLockUpOnce() {
    Search.scripted()
        .addCustomScenario(
            Search.scenario(List.of(call("guardAndUnlock"), call("enter")), List.of(call("closeGuard"))))
        .check(GuardSections.class);
  }

  private static Actor call(String operation) {
    return Search.call(GuardSections.class, operation);
  }

  /** Spinning (as the first in line does) and sleeping waiters. */
  public static class Counter {
    private final Mutex mutex = new Mutex();
    private int value;

    @Operation
    public int spinning() {
      mutex.lock();
      try {
        return ++value;
      } finally {
        mutex.unlock();
      }
    }

    @Operation
    public int sleeping() {
      int[] result = new int[1];
      Ends.whenWoken(() -> result[0] = spinning());
      return result[0];
    }
  }

  /** Without spurious wake-ups, or with one for each wait: who falls asleep again has to say so again. */
  public static class SleepyCounter {
    private final Mutex mutex = new Mutex();
    private int value;

    @Operation
    public int sleeping() {
      int[] result = new int[1];
      Ends.onlyWhenWoken(() -> result[0] = increment());
      return result[0];
    }

    @Operation
    public int restless() {
      int[] result = new int[1];
      Ends.onlyWhenWokenAgain(() -> result[0] = increment());
      return result[0];
    }

    private int increment() {
      mutex.lock();
      try {
        return ++value;
      } finally {
        mutex.unlock();
      }
    }
  }

  /** The same on a semaphore. */
  public static class PermitCounter {
    private final Semaphore one = Semaphore.of(1);
    private int value;

    @Operation
    public int spinning() {
      one.acquireUninterruptibly();
      try {
        return ++value;
      } finally {
        one.release();
      }
    }

    @Operation
    public int sleeping() {
      int[] result = new int[1];
      Ends.whenWoken(() -> result[0] = spinning());
      return result[0];
    }
  }

  /** Sections of one at a time; a wait that is given up enters nothing. */
  public static class MutexSections {
    private final Mutex mutex = new Mutex();
    private int inside;

    @Operation
    public void enter() {
      Ends.whenWoken(
          () -> {
            mutex.lockInterruptibly();
            section();
          });
    }

    @Operation
    public void enterUnlessInterrupted() {
      Ends.byInterrupt(
          () -> {
            mutex.lockInterruptibly();
            section();
          });
    }

    @Operation
    public void enterUnlessTimedOut() {
      Ends.byTimeOut(
          () -> {
            if (mutex.tryLock(SOON)) {
              section();
            }
          });
    }

    @Operation
    public void enterIfFree() {
      if (mutex.tryLock()) {
        section();
      }
    }

    @Validate
    public void atRest() {
      if (mutex.isLocked() || mutex.waiting() != 0) {
        throw new IllegalStateException("Not at rest: " + mutex + ", " + mutex.waiting() + " waiting");
      }
    }

    private void section() {
      if (inside++ != 0 || !mutex.isHeldByCurrentThread()) {
        throw new IllegalStateException("Not alone in here");
      }
      inside--;
      mutex.unlock();
    }
  }

  /** A guard that its owner and somebody else give up at the same time, before a section. */
  public static class GuardSections {
    private final Mutex mutex = new Mutex();
    private volatile @Nullable Guard shared;

    @Operation
    public void guardAndUnlock() {
      Ends.whenWoken(
          () -> {
            shared = mutex.guard();
            try {
              mutex.unlock();
            } catch (IllegalMonitorStateException e) {
              // The other was first.
            }
          });
    }

    @Operation
    public void closeGuard() {
      Guard guard = shared;
      if (guard != null) {
        guard.close();
      }
    }

    @Operation
    public void enter() {
      Ends.whenWoken(
          () -> {
            mutex.lock();
            if (!mutex.isLocked()) {
              throw new IllegalStateException("Locked and free");
            }
            mutex.unlock();
          });
    }

    @Validate
    public void atRest() {
      if (mutex.isLocked() || mutex.waiting() != 0) {
        throw new IllegalStateException("Not at rest: " + mutex);
      }
    }
  }

  /** Sections of two permits for one or two. */
  @Param(name = "n", gen = IntGen.class, conf = "1:2")
  public static class SemaphoreSections {
    private final Semaphore two = Semaphore.of(2);
    private final AtomicInteger inUse = new AtomicInteger();

    @Operation
    public void enter(@Param(name = "n") int n) {
      Ends.whenWoken(
          () -> {
            two.acquire(n);
            section(n);
          });
    }

    @Operation
    public void enterUnlessInterrupted(@Param(name = "n") int n) {
      Ends.byInterrupt(
          () -> {
            two.acquire(n);
            section(n);
          });
    }

    @Operation
    public void enterUnlessTimedOut(@Param(name = "n") int n) {
      Ends.byTimeOut(
          () -> {
            if (two.tryAcquire(n, SOON)) {
              section(n);
            }
          });
    }

    @Operation
    public void enterIfFree(@Param(name = "n") int n) {
      if (two.tryAcquire(n)) {
        section(n);
      }
    }

    @Validate
    public void atRest() {
      if (two.available() != 2 || two.waiting() != 0) {
        throw new IllegalStateException("Not at rest: " + two.snapshot());
      }
    }

    private void section(int n) {
      if (inUse.addAndGet(n) > 2) {
        throw new IllegalStateException("More than two permits in use");
      }
      inUse.addAndGet(-n);
      two.release(n);
    }
  }
}
