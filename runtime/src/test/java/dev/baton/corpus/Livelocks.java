// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.LIVELOCK;

import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Mutex;
import dev.baton.sync.RwLock;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** Everybody is busy and nobody gets anywhere. */
final class Livelocks {
  private Livelocks() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "polite couple",
                LIVELOCK,
                "Two share a spoon, and who has it passes it on while the other is hungry: for ever, once both are.",
                () -> oneSpoon(true),
                () -> oneSpoon(false))
            .andSmall(),
        new Bug(
                "polling writer",
                LIVELOCK,
                "A writer polls for a moment without readers; two readers that take turns never leave it one.",
                Livelocks::pollToWrite,
                Livelocks::waitToWrite)
            .andSmall(),
        new Bug(
                "swallowed interrupt",
                LIVELOCK,
                "A loop catches the interrupt that was to end it, and goes on.",
                () -> heartbeat(true),
                () -> heartbeat(false))
            .andSmall());
  }

  private static void oneSpoon(boolean polite) throws Exception {
    Mutex table = new Mutex();
    Condition passed = table.newCondition();
    Shared owner = new Shared(0);
    boolean[] hungry = new boolean[2];
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            int me = i;
            int other = 1 - i;
            scope.fork(
                () -> {
                  table.withLock(
                      () -> {
                        hungry[me] = true;
                        while (hungry[me]) {
                          while (owner.value != me) {
                            passed.await();
                          }
                          if (!polite || !hungry[other]) {
                            hungry[me] = false; // eats
                          }
                          owner.value = other;
                          passed.signalAll();
                        }
                      });
                });
          }
          scope.join();
        });
  }

  private static void pollToWrite() throws Exception {
    RwLock lock = new RwLock();
    boolean[] written = {false};
    Scope.run(
        scope -> {
          scope.fork(() -> readUntilWritten(lock, written, 0));
          scope.fork(() -> readUntilWritten(lock, written, 1));
          while (!lock.writeLock().tryLock()) {
            Time.sleep(Bug.ms(1));
          }
          written[0] = true;
          lock.writeLock().unlock();
          scope.join();
        });
  }

  private static void waitToWrite() throws Exception {
    RwLock lock = new RwLock();
    boolean[] written = {false};
    Scope.run(
        scope -> {
          scope.fork(() -> readUntilWritten(lock, written, 0));
          scope.fork(() -> readUntilWritten(lock, written, 1));
          lock.writeLock().withLock(() -> written[0] = true); // readers who come later wait behind
          scope.join();
        });
  }

  /** Reads for two milliseconds at a time; with two that start one apart, somebody reads at any time. */
  private static void readUntilWritten(RwLock lock, boolean[] written, int start) throws InterruptedException {
    Time.sleep(Bug.ms(start));
    boolean done = false;
    while (!done) {
      done =
          lock.readLock()
              .withLock(
                  () -> {
                    Time.sleep(Bug.ms(2));
                    return written[0];
                  });
    }
  }

  private static void heartbeat(boolean swallow) throws Exception {
    Mutex log = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  try {
                    Time.sleep(Bug.ms(1));
                  } catch (InterruptedException cancelled) {
                    if (!swallow) {
                      return;
                    }
                    // The flag is cleared: nothing will end the loop.
                  }
                  log.lock();
                  log.unlock();
                }
              });
          Time.sleep(Bug.ms(2)); // and leaves, which cancels
        });
  }
}
