// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.DEADLOCK;

import dev.baton.scope.Scope;
import dev.baton.sync.Mutex;
import dev.baton.sync.OnceCell;
import dev.baton.sync.Semaphore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Tasks that hold one thing and wait for another, in a circle. */
final class LockOrder {
  private LockOrder() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "two locks",
                DEADLOCK,
                "Two tasks take the same two locks in opposite order, and each waits for the other's.",
                LockOrder::twoLocks,
                LockOrder::twoLocksFixed)
            .andSmall(),
        new Bug(
            "three locks",
            DEADLOCK,
            "Three tasks take neighbouring pairs of three locks, and together they close a circle.",
            LockOrder::threeLocks,
            LockOrder::threeLocksFixed),
        new Bug(
                "dining philosophers",
                DEADLOCK,
                "Everyone takes the left fork first; when all have one, nobody ever gets a second.",
                LockOrder::philosophers,
                LockOrder::philosophersFixed)
            .within(5_000), // three must be stopped, each at the right place
        new Bug(
                "permits one by one",
                DEADLOCK,
                "Two tasks need two permits each and take them one by one; each is left with one of the two there are.",
                LockOrder::permitsOneByOne,
                LockOrder::permitsTogether)
            .andSmall(),
        new Bug(
                "mutex before slot",
                DEADLOCK,
                "A producer waits for a free slot with the mutex held that the consumer needs to free one.",
                () -> boundedBuffer(true),
                () -> boundedBuffer(false))
            .andSmall(),
        new Bug(
                "initializers in a circle",
                DEADLOCK,
                "The initializers of two cells need each other's value, and two tasks begin with one each.",
                LockOrder::initializersInACircle,
                LockOrder::initializersInOrder)
            .andSmall());
  }

  private static void inside(Mutex first, Mutex second) throws InterruptedException {
    first.withLock(
        () -> {
          second.withLock(() -> {});
        });
  }

  private static void twoLocks() throws Exception {
    Mutex a = new Mutex();
    Mutex b = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> inside(a, b));
          scope.fork(() -> inside(b, a)); // the other way round
          scope.join();
        });
  }

  private static void twoLocksFixed() throws Exception {
    Mutex a = new Mutex();
    Mutex b = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> inside(a, b));
          scope.fork(() -> inside(a, b));
          scope.join();
        });
  }

  private static void threeLocks() throws Exception {
    Mutex a = new Mutex();
    Mutex b = new Mutex();
    Mutex c = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> inside(a, b));
          scope.fork(() -> inside(b, c));
          scope.fork(() -> inside(c, a)); // closes the circle
          scope.join();
        });
  }

  private static void threeLocksFixed() throws Exception {
    Mutex a = new Mutex();
    Mutex b = new Mutex();
    Mutex c = new Mutex();
    Scope.run(
        scope -> {
          scope.fork(() -> inside(a, b));
          scope.fork(() -> inside(b, c));
          scope.fork(() -> inside(a, c)); // from a to c, as everyone
          scope.join();
        });
  }

  private static List<Mutex> forks() {
    return List.of(new Mutex(), new Mutex(), new Mutex(), new Mutex());
  }

  private static void philosophers() throws Exception {
    List<Mutex> forks = forks();
    Scope.run(
        scope -> {
          for (int i = 0; i < forks.size(); i++) {
            Mutex left = forks.get(i);
            Mutex right = forks.get((i + 1) % forks.size());
            scope.fork(() -> inside(left, right));
          }
          scope.join();
        });
  }

  private static void philosophersFixed() throws Exception {
    List<Mutex> forks = forks();
    Scope.run(
        scope -> {
          for (int i = 0; i < forks.size(); i++) {
            // The last one, who sits between the last fork and the first, begins with the first.
            int right = (i + 1) % forks.size();
            Mutex lower = forks.get(Math.min(i, right));
            Mutex higher = forks.get(Math.max(i, right));
            scope.fork(() -> inside(lower, higher));
          }
          scope.join();
        });
  }

  private static void permitsOneByOne() throws Exception {
    Semaphore permits = Semaphore.of(2);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  permits.withPermit(
                      () -> {
                        permits.withPermit(() -> {}); // the other task may have the last one
                      });
                });
          }
          scope.join();
        });
  }

  private static void permitsTogether() throws Exception {
    Semaphore permits = Semaphore.of(2);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> permits.withPermit(2, () -> {}));
          }
          scope.join();
        });
  }

  /** Room for one, two items to pass through. */
  private static void boundedBuffer(boolean mutexFirst) throws Exception {
    Semaphore free = Semaphore.unbounded(1);
    Semaphore filled = Semaphore.unbounded(0);
    Mutex mutex = new Mutex();
    Deque<Integer> buffer = new ArrayDeque<>();
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                for (int item = 0; item < 2; item++) {
                  put(item, buffer, mutex, free, mutexFirst);
                  filled.release();
                }
              });
          scope.fork(
              () -> {
                for (int item = 0; item < 2; item++) {
                  filled.acquire();
                  int taken = mutex.withLock(() -> buffer.removeFirst());
                  free.release();
                  Bug.require(taken == item, "items come out as they went in");
                }
              });
          scope.join();
        });
  }

  private static void put(int item, Deque<Integer> buffer, Mutex mutex, Semaphore free, boolean mutexFirst)
      throws InterruptedException {
    if (mutexFirst) {
      mutex.withLock(
          () -> {
            free.acquire(); // while the buffer is full, the consumer cannot get at it
            buffer.addLast(item);
          });
    } else {
      free.acquire();
      mutex.withLock(() -> buffer.addLast(item));
    }
  }

  private static void initializersInACircle() throws Exception {
    OnceCell<Integer> width = new OnceCell<>();
    OnceCell<Integer> height = new OnceCell<>();
    Scope.run(
        scope -> {
          scope.fork(() -> width.getOrInit(() -> 2 * height.getOrInit(() -> 3)));
          scope.fork(() -> height.getOrInit(() -> width.getOrInit(() -> 6) / 2)); // starts at the other end
          scope.join();
        });
  }

  private static void initializersInOrder() throws Exception {
    OnceCell<Integer> width = new OnceCell<>();
    OnceCell<Integer> height = new OnceCell<>();
    Scope.run(
        scope -> {
          scope.fork(() -> width.getOrInit(() -> 2 * height.getOrInit(() -> 3)));
          scope.fork(() -> height.getOrInit(() -> 3)); // needs nobody
          scope.join();
        });
  }
}
