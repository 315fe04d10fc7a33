// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.sync.Mutex;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** A buffer of one element built from a mutex and two conditions. Each scenario ends unless a signal or a wake-up is lost. */
class ConditionModelTest {

  @Test
  void putsAndTakesMeet() {
    Search.scripted()
        .sequentialSpecification(BufferSpec.class)
        .addCustomScenario(scenario(List.of(take()), List.of(put(1))))
        .addCustomScenario(scenario(List.of(take()), List.of(take()), List.of(put(1), put(2))))
        .addCustomScenario(scenario(List.of(put(1)), List.of(put(2)), List.of(take(), take())))
        .check(Buffer.class);
  }

  @Test
  void aTakerThatGivesUpLosesNoSignalOfAnother() {
    Search.scripted()
        .sequentialSpecification(BufferSpec.class)
        .addCustomScenario(scenario(List.of(call("lookUnlessTimedOut")), List.of(take()), List.of(put(1))))
        .addCustomScenario(scenario(List.of(call("lookUnlessInterrupted")), List.of(take()), List.of(put(1))))
        .addCustomScenario(scenario(List.of(call("lookUnlessInterrupted")), List.of(call("lookUnlessTimedOut"))))
        .addCustomScenario(
            scenario(List.of(call("lookUnlessInterrupted")), List.of(put(1), take()), List.of(call("lookUnlessTimedOut"))))
        .check(Buffer.class);
  }

  private static Actor call(String operation) {
    return Search.call(Buffer.class, operation);
  }

  private static Actor put(int value) {
    return Search.call(Buffer.class, "put", value);
  }

  private static Actor take() {
    return call("take");
  }

  /** Room for one. */
  public static class Buffer {
    private final Mutex mutex = new Mutex();
    private final Condition filled = mutex.newCondition();
    private final Condition emptied = mutex.newCondition();
    private int element;

    @Operation
    public boolean put(@Param(gen = IntGen.class, conf = "1:9") int value) {
      Ends.whenWoken(() -> putLocked(value));
      return true;
    }

    private void putLocked(int value) {
      mutex.lock();
      try {
        while (element != 0) {
          emptied.awaitUninterruptibly();
        }
        element = value;
        filled.signal();
      } finally {
        mutex.unlock();
      }
    }

    @Operation
    public int take() {
      int[] taken = new int[1];
      Ends.whenWoken(() -> taken[0] = takeLocked());
      return taken[0];
    }

    private int takeLocked() throws InterruptedException {
      mutex.lock();
      try {
        while (element == 0) {
          filled.await();
        }
        int taken = element;
        element = 0;
        emptied.signal();
        return taken;
      } finally {
        mutex.unlock();
      }
    }

    /** Takes nothing, so a signal it got is passed on. */
    @Operation
    @SuppressWarnings("WaitNotInLoop") // looks once
    public void lookUnlessTimedOut() {
      Ends.byTimeOut(
          () -> {
            mutex.lock();
            try {
              if (element == 0 && filled.await(10, TimeUnit.NANOSECONDS)) {
                filled.signal();
              }
              requireHeld();
            } finally {
              mutex.unlock();
            }
          });
    }

    /** Takes nothing, so a signal it got is passed on. */
    @Operation
    @SuppressWarnings("WaitNotInLoop") // looks once
    public void lookUnlessInterrupted() {
      Ends.byInterrupt(
          () -> {
            mutex.lock();
            try {
              if (element == 0) {
                filled.await();
                filled.signal();
              }
            } finally {
              requireHeld();
              mutex.unlock();
            }
          });
    }

    @Validate
    public void atRest() {
      if (mutex.isLocked() || mutex.waiting() != 0) {
        throw new IllegalStateException("Not at rest: " + mutex);
      }
    }

    private void requireHeld() {
      if (!mutex.isHeldByCurrentThread()) {
        throw new IllegalStateException("A wait ended without the lock");
      }
    }
  }

  /** An order in which somebody would have to wait does not count: its results differ from the real ones. */
  public static class BufferSpec {
    private int element;

    public boolean put(int value) {
      if (element != 0) {
        return false;
      }
      element = value;
      return true;
    }

    public int take() {
      int taken = element;
      element = 0;
      return taken;
    }

    public void lookUnlessTimedOut() {}

    public void lookUnlessInterrupted() {}
  }
}
