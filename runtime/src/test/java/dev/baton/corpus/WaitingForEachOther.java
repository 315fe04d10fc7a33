// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.DEADLOCK;

import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.Barrier;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.util.List;

/** Tasks that wait for something only another task can do, and that one cannot, or has gone. */
final class WaitingForEachOther {
  private WaitingForEachOther() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "await under the lock",
                DEADLOCK,
                "A parent waits for its child with a lock held that the child needs.",
                WaitingForEachOther::awaitUnderTheLock,
                WaitingForEachOther::awaitAfterTheLock)
            .andSmall(),
        new Bug(
                "read again behind a writer",
                DEADLOCK,
                "A reader waits for a child that reads too; a writer has come in between, the child waits behind it.",
                WaitingForEachOther::readAgainBehindAWriter,
                WaitingForEachOther::readOnce)
            .andSmall(),
        new Bug(
                "wait for the writer while reading",
                DEADLOCK,
                "A reader that finds nothing waits for the writer, and keeps it out by reading on.",
                WaitingForEachOther::waitForTheWriterWhileReading,
                WaitingForEachOther::waitForTheWriterAfterReading)
            .andSmall(),
        new Bug(
                "promise forgotten on an error",
                DEADLOCK,
                "A worker that cannot do its work returns without failing the promise that somebody waits for.",
                () -> promise(false),
                () -> promise(true))
            .andSmall(),
        new Bug(
            "party that does not come",
            DEADLOCK,
            "A worker that finds nothing to do leaves without coming to the barrier where the others wait for it.",
            () -> barrier(false),
            () -> barrier(true)),
        new Bug(
            "fork in a full scope",
            DEADLOCK,
            "Tasks of a scope with a limit fork into the same scope and wait; together they have used the limit up.",
            WaitingForEachOther::forkInAFullScope,
            WaitingForEachOther::forkInAnInnerScope),
        new Bug(
                "deaf to its cancellation",
                DEADLOCK,
                "A task waits uninterruptibly for what a failed one was to do, so the scope can never end.",
                () -> failedPartner(false),
                () -> failedPartner(true))
            .andSmall());
  }

  private static void awaitUnderTheLock() throws Exception {
    Mutex lock = new Mutex();
    Scope.run(
        scope -> {
          Task<Integer> child = scope.fork(() -> lock.withLock(() -> 42));
          lock.withLock(
              () -> {
                child.await(); // may still have to get the lock
              });
          scope.join();
        });
  }

  private static void awaitAfterTheLock() throws Exception {
    Mutex lock = new Mutex();
    Scope.run(
        scope -> {
          Task<Integer> child = scope.fork(() -> lock.withLock(() -> 42));
          lock.withLock(() -> {});
          child.await();
          scope.join();
        });
  }

  private static void readAgainBehindAWriter() throws Exception {
    RwLock lock = new RwLock();
    Shared data = new Shared(0);
    Scope.run(
        scope -> {
          scope.fork(() -> lock.writeLock().withLock(() -> data.value++));
          lock.readLock()
              .withLock(
                  () -> {
                    Task<Integer> part = scope.fork(() -> lock.readLock().withLock(() -> data.value));
                    part.await();
                  });
          scope.join();
        });
  }

  private static void readOnce() throws Exception {
    RwLock lock = new RwLock();
    Shared data = new Shared(0);
    Scope.run(
        scope -> {
          scope.fork(() -> lock.writeLock().withLock(() -> data.value++));
          lock.readLock()
              .withLock(
                  () -> {
                    Task<Integer> part = scope.fork(() -> data.value); // the parent reads for both
                    part.await();
                  });
          scope.join();
        });
  }

  private static void waitForTheWriterWhileReading() throws Exception {
    RwLock lock = new RwLock();
    Shared data = new Shared(0);
    Event written = new Event();
    Scope.run(
        scope -> {
          scope.fork(() -> write(lock, data, written));
          scope.fork(
              () ->
                  lock.readLock()
                      .withLock(
                          () -> {
                            if (data.value == 0) {
                              written.await(); // nobody can write now
                            }
                            Bug.require(data.value == 1, "written before it was announced");
                          }));
          scope.join();
        });
  }

  private static void waitForTheWriterAfterReading() throws Exception {
    RwLock lock = new RwLock();
    Shared data = new Shared(0);
    Event written = new Event();
    Scope.run(
        scope -> {
          scope.fork(() -> write(lock, data, written));
          scope.fork(
              () -> {
                int found = lock.readLock().withLock(() -> data.value);
                if (found == 0) {
                  written.await();
                  found = lock.readLock().withLock(() -> data.value);
                }
                Bug.require(found == 1, "written before it was announced");
              });
          scope.join();
        });
  }

  private static void write(RwLock lock, Shared data, Event written) throws InterruptedException {
    lock.writeLock().withLock(() -> data.value = 1);
    written.set();
  }

  private static void promise(boolean failIt) throws Exception {
    Semaphore connection = Semaphore.of(1);
    Promise<Integer> answer = new Promise<>();
    Scope.run(
        scope -> {
          scope.fork(() -> connection.withPermit(() -> {})); // somebody else's work
          scope.fork(
              () -> {
                if (connection.tryAcquire()) {
                  answer.complete(42);
                  connection.release();
                } else if (failIt) {
                  answer.fail(new IllegalStateException("busy"));
                }
              });
          try {
            answer.future().await();
          } catch (IllegalStateException busy) {
            // an answer too
          }
          scope.join();
        });
  }

  /** Two workers share two jobs; a quick one may do both. */
  private static void barrier(boolean comeAnyway) throws Exception {
    Mutex lock = new Mutex();
    Shared jobs = new Shared(2);
    Barrier allDone = Barrier.of(2);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  boolean worked = false;
                  while (lock.withLock(() -> jobs.value > 0 && jobs.value-- > 0)) {
                    worked = true;
                  }
                  if (worked || comeAnyway) {
                    allDone.await();
                  }
                });
          }
          scope.join();
        });
  }

  private static void forkInAFullScope() throws Exception {
    Scope.run(
        scope -> {
          scope.limit(2);
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  Task<Integer> child = scope.fork(() -> 1); // waits for one of the two to end
                  child.await();
                });
          }
          scope.join();
        });
  }

  private static void forkInAnInnerScope() throws Exception {
    Scope.run(
        scope -> {
          scope.limit(2);
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () ->
                    Scope.run(
                        inner -> {
                          Task<Integer> child = inner.fork(() -> 1);
                          child.await();
                          inner.join();
                        }));
          }
          scope.join();
        });
  }

  private static void failedPartner(boolean listen) throws Exception {
    Event ready = new Event();
    try {
      Scope.run(
          scope -> {
            scope.fork(
                () -> {
                  if (listen) {
                    ready.await();
                  } else {
                    ready.awaitUninterruptibly();
                  }
                });
            scope.fork(
                () -> {
                  throw new IllegalStateException("cannot get ready");
                });
            scope.join();
          });
    } catch (IllegalStateException expected) {
      Bug.require("cannot get ready".equals(expected.getMessage()), "another error: " + expected);
    }
  }
}
