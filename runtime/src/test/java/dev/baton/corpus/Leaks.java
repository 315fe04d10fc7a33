// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.LEAKED_PERMIT;
import static dev.baton.check.Kind.LEAKED_TASK;

import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.Semaphore;
import dev.baton.sync.VoidBody;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** What was taken or started is still there when all is over. */
final class Leaks {
  private Leaks() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "early return",
                LEAKED_PERMIT,
                "A task that finds itself cancelled returns between acquire and release.",
                Leaks::earlyReturn,
                Leaks::earlyReturnWithPermit)
            .andSmall(),
        new Bug(
                "half of two",
                LEAKED_PERMIT,
                "A task that gets the first of two permits and not the second gives up and keeps the first.",
                () -> halfOfTwo(false),
                () -> halfOfTwo(true))
            .andSmall(),
        new Bug(
                "cancelled with the lock held",
                LEAKED_PERMIT,
                "The loser of a race is interrupted between lock and unlock, and there is no finally.",
                Leaks::loserKeepsTheLock,
                Leaks::loserUnlocks)
            .andSmall(),
        new Bug(
                "clean-up cut short",
                LEAKED_PERMIT,
                "An interrupt is still pending when the clean-up begins: its first wait throws and the rest is skipped.",
                Leaks::cleanUp,
                Leaks::cleanUpToTheEnd)
            .andSmall(),
        new Bug(
                "granted after giving up",
                LEAKED_PERMIT,
                "A helper gets the permit just when the one it asks for stops waiting, and nobody gives it back.",
                () -> giveUp(false),
                () -> giveUp(true))
            .andSmall(),
        new Bug(
                "scope never closed",
                LEAKED_TASK,
                "A scope is opened without try, and what was forked in it outlives the method.",
                Leaks::scopeNeverClosed,
                Leaks::scopeClosed)
            .andSmall(),
        new Bug(
                "scope left by a time-out",
                LEAKED_TASK,
                "When the answer is late, the method returns before it gets to close its scope.",
                Leaks::scopeLeftByATimeOut,
                Leaks::scopeClosedAfterATimeOut)
            .andSmall());
  }

  private static void earlyReturn() throws Exception {
    Semaphore permits = Semaphore.of(1);
    Event cancelled = new Event();
    Scope.run(
        scope -> {
          scope.fork(() -> cancelled.set());
          scope.fork(
              () -> {
                permits.acquire();
                if (cancelled.isSet()) {
                  return; // with the permit
                }
                permits.release();
              });
          scope.join();
        });
  }

  private static void earlyReturnWithPermit() throws Exception {
    Semaphore permits = Semaphore.of(1);
    Event cancelled = new Event();
    Shared worked = new Shared(0);
    Scope.run(
        scope -> {
          scope.fork(() -> cancelled.set());
          scope.fork(
              () ->
                  permits.withPermit(
                      () -> {
                        if (cancelled.isSet()) {
                          return;
                        }
                        worked.value++;
                      }));
          scope.join();
        });
  }

  private static void halfOfTwo(boolean giveBack) throws Exception {
    Semaphore table = Semaphore.of(1);
    Semaphore chair = Semaphore.of(1);
    Scope.run(
        scope -> {
          scope.fork(() -> chair.withPermit(() -> {}));
          scope.fork(
              () -> {
                if (table.tryAcquire()) {
                  if (chair.tryAcquire()) {
                    chair.release();
                    table.release();
                  } else if (giveBack) {
                    table.release();
                  }
                }
              });
          scope.join();
        });
  }

  private static void loserKeepsTheLock() throws Exception {
    Mutex lock = new Mutex();
    Mutex cache = new Mutex();
    Scope.firstSuccess(
        () -> {
          lock.lock();
          Time.sleep(Bug.ms(1)); // where it is interrupted
          lock.unlock();
          return 1;
        },
        () -> cache.withLock(() -> 2));
  }

  private static void loserUnlocks() throws Exception {
    Mutex lock = new Mutex();
    Mutex cache = new Mutex();
    Scope.firstSuccess(
        () ->
            lock.withLock(
                () -> {
                  Time.sleep(Bug.ms(1));
                  return 1;
                }),
        () -> cache.withLock(() -> 2));
  }

  private static void cleanUp() throws Exception {
    Semaphore permits = Semaphore.of(1);
    Mutex journal = new Mutex();
    besideAFailure(
        () -> {
          permits.acquire();
          try {
            journal.lock();
            journal.unlock();
          } finally {
            journal.withLock(() -> {}); // throws if the task has been cancelled by now
            permits.release();
          }
        });
  }

  private static void cleanUpToTheEnd() throws Exception {
    Semaphore permits = Semaphore.of(1);
    Mutex journal = new Mutex();
    besideAFailure(
        () -> {
          permits.acquire();
          try {
            journal.lock();
            journal.unlock();
          } finally {
            try {
              journal.withLock(() -> {});
            } finally {
              permits.release();
            }
          }
        });
  }

  /** Runs {@code task} in a scope that fails, and so cancels it, at some time. */
  private static void besideAFailure(VoidBody<Exception> task) throws Exception {
    try {
      Scope.run(
          scope -> {
            scope.fork(task);
            scope.fork(
                () -> {
                  throw new IllegalStateException("the other one has failed");
                });
            scope.join();
          });
    } catch (IllegalStateException expected) {
      Bug.require("the other one has failed".equals(expected.getMessage()), "another error: " + expected);
    }
  }

  private static void giveUp(boolean decideOnce) throws Exception {
    Semaphore permits = Semaphore.of(1);
    Promise<Permit> granted = new Promise<>();
    Scope.run(
        scope -> {
          scope.fork(() -> permits.withPermit(() -> Time.sleep(Bug.ms(10))));
          scope.fork(
              () -> {
                Permit permit = permits.hold();
                if (!granted.complete(permit)) {
                  permit.close(); // nobody waits any more
                }
              });
          try {
            granted.future().await(Bug.ms(10)).close();
          } catch (TimeoutException late) {
            // Unless the promise is told, it will be kept, and the permit with it.
            if (decideOnce && !granted.fail(new CancellationException("given up"))) {
              granted.future().await().close(); // it came all the same
            }
          }
          scope.join();
        });
  }

  private static void scopeNeverClosed() throws Exception {
    Event started = new Event();
    Mutex log = new Mutex();
    Scope scope = Scope.open();
    scope.fork(
        () -> {
          started.set();
          log.withLock(() -> {});
        });
    started.await();
  }

  private static void scopeClosed() throws Exception {
    Event started = new Event();
    Mutex log = new Mutex();
    try (Scope scope = Scope.open()) {
      scope.fork(
          () -> {
            started.set();
            log.withLock(() -> {});
          });
      started.await();
    }
  }

  private static void scopeLeftByATimeOut() throws Exception {
    Event answered = new Event();
    Scope scope = Scope.open();
    scope.fork(
        () -> {
          Time.sleep(Bug.ms(10));
          answered.set();
        });
    if (!answered.await(Bug.ms(10))) {
      return; // the question is still open
    }
    scope.join();
    scope.close();
  }

  private static void scopeClosedAfterATimeOut() throws Exception {
    Event answered = new Event();
    try (Scope scope = Scope.open()) {
      scope.fork(
          () -> {
            Time.sleep(Bug.ms(10));
            answered.set();
          });
      if (!answered.await(Bug.ms(10))) {
        return; // what still runs is cancelled
      }
      scope.join();
    }
  }
}
