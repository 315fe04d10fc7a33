// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.DEADLOCK;
import static dev.baton.check.Kind.EXCEPTION;

import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Notify;
import dev.baton.sync.Semaphore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;

/** Somebody is not told, is told too early, or takes being told for more than it is. */
final class WakeUps {
  private WakeUps() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "lost wake-up",
                DEADLOCK,
                "A task looks at a flag and then waits; set and announced in between, it is never announced again.",
                WakeUps::lostWakeUp,
                WakeUps::waitUnderTheLock)
            .andSmall(),
        new Bug(
            "two notifications are one",
            DEADLOCK,
            "Of two notifications that find nobody waiting only one is kept, and the second task waits for ever.",
            WakeUps::countByNotify,
            WakeUps::countBySemaphore),
        new Bug(
                "one is told of what concerns all",
                DEADLOCK,
                "A gate opens for everybody, but only one of those who wait is notified.",
                WakeUps::tellOne,
                WakeUps::tellAll)
            .andSmall(),
        new Bug(
                "signalled before it is true",
                DEADLOCK,
                "A condition is signalled first and made true later: who is woken finds it false and waits again.",
                () -> open(false),
                () -> open(true))
            .andSmall(),
        new Bug(
            "if instead of while",
            EXCEPTION,
            "A consumer that was signalled takes without looking again; another has been quicker.",
            () -> consume(false),
            () -> consume(true)),
        new Bug(
                "signal wakes the wrong kind",
                DEADLOCK,
                "Producers and consumers wait on one condition, and a consumer's only signal goes to a consumer.",
                () -> exchange(false),
                () -> exchange(true))
            .within(5_000), // takes four tasks in one particular order
        new Bug(
                "listener too late",
                DEADLOCK,
                "A listener asks whether it has happened and then registers; it happens in between.",
                () -> listen(false),
                () -> listen(true))
            .andSmall(),
        new Bug(
                "the first to end ends all",
                EXCEPTION,
                "Two producers say when they end; the consumer stops at the first of them and loses what the other sends.",
                () -> consumeUntilTheEnd(1),
                () -> consumeUntilTheEnd(2))
            .andSmall());
  }

  private static void lostWakeUp() throws Exception {
    Notify changed = new Notify();
    boolean[] ready = {false};
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                if (!ready[0]) {
                  changed.await(); // it may have changed by now
                }
              });
          scope.fork(
              () -> {
                ready[0] = true;
                changed.notifyEveryone();
              });
          scope.join();
        });
  }

  private static void waitUnderTheLock() throws Exception {
    Mutex lock = new Mutex();
    Condition changed = lock.newCondition();
    boolean[] ready = {false};
    Scope.run(
        scope -> {
          scope.fork(() -> awaitTrue(lock, changed, ready));
          scope.fork(
              () ->
                  lock.withLock(
                      () -> {
                        ready[0] = true;
                        changed.signalAll();
                      }));
          scope.join();
        });
  }

  private static void awaitTrue(Mutex lock, Condition changed, boolean[] flag) throws InterruptedException {
    lock.withLock(
        () -> {
          while (!flag[0]) {
            changed.await();
          }
        });
  }

  private static void countByNotify() throws Exception {
    Notify arrived = new Notify();
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> arrived.await());
            scope.fork(() -> arrived.notifyOne());
          }
          scope.join();
        });
  }

  private static void countBySemaphore() throws Exception {
    Semaphore arrived = Semaphore.unbounded(0);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> arrived.acquire());
            scope.fork(() -> arrived.release());
          }
          scope.join();
        });
  }

  private static void tellOne() throws Exception {
    Notify opened = new Notify();
    boolean[] open = {false};
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  while (!open[0]) {
                    opened.await();
                  }
                });
          }
          scope.fork(
              () -> {
                open[0] = true;
                opened.notifyOne();
              });
          scope.join();
        });
  }

  private static void tellAll() throws Exception {
    Event opened = new Event();
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> opened.await());
          }
          scope.fork(() -> opened.set());
          scope.join();
        });
  }

  private static void open(boolean firstMakeItTrue) throws Exception {
    Mutex lock = new Mutex();
    Condition opened = lock.newCondition();
    boolean[] open = {false};
    Scope.run(
        scope -> {
          scope.fork(() -> awaitTrue(lock, opened, open));
          if (!firstMakeItTrue) {
            lock.withLock(() -> opened.signalAll());
          }
          lock.withLock(
              () -> {
                open[0] = true;
                if (firstMakeItTrue) {
                  opened.signalAll();
                }
              });
          scope.join();
        });
  }

  @SuppressWarnings("WaitNotInLoop") // that is the bug
  private static void consume(boolean lookAgain) throws Exception {
    Mutex lock = new Mutex();
    Condition notEmpty = lock.newCondition();
    Deque<Integer> items = new ArrayDeque<>();
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () ->
                    lock.withLock(
                        () -> {
                          if (items.isEmpty()) {
                            notEmpty.await();
                          }
                          while (lookAgain && items.isEmpty()) {
                            notEmpty.await();
                          }
                          items.removeFirst();
                        }));
          }
          for (int i = 0; i < 2; i++) {
            int item = i;
            lock.withLock(
                () -> {
                  items.addLast(item);
                  notEmpty.signal();
                });
          }
          scope.join();
        });
  }

  /** Two put one item each, two take one each; there is room for one. */
  private static void exchange(boolean signalAll) throws Exception {
    Mutex lock = new Mutex();
    Condition changed = lock.newCondition();
    Shared items = new Shared(0);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> change(items, 0, 1, lock, changed, signalAll));
            scope.fork(() -> change(items, 1, 0, lock, changed, signalAll));
          }
          scope.join();
        });
  }

  private static void change(Shared items, int from, int to, Mutex lock, Condition changed, boolean signalAll)
      throws InterruptedException {
    lock.withLock(
        () -> {
          while (items.value != from) {
            changed.await();
          }
          items.value = to;
          if (signalAll) {
            changed.signalAll();
          } else {
            changed.signal(); // whoever has waited longest, of either kind
          }
        });
  }

  private static void listen(boolean askUnderTheLock) throws Exception {
    Mutex lock = new Mutex();
    List<Event> listeners = new ArrayList<>();
    boolean[] happened = {false};
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                Event mine = new Event();
                if (askUnderTheLock) {
                  lock.withLock(
                      () -> {
                        if (happened[0]) {
                          mine.set();
                        } else {
                          listeners.add(mine);
                        }
                      });
                } else if (happened[0]) {
                  mine.set();
                } else {
                  lock.withLock(() -> listeners.add(mine)); // perhaps after all have been told
                }
                mine.await();
              });
          lock.withLock(
              () -> {
                happened[0] = true;
                listeners.forEach(Event::set);
              });
          scope.join();
        });
  }

  private static void consumeUntilTheEnd(int ends) throws Exception {
    int end = 0;
    Mutex lock = new Mutex();
    Semaphore filled = Semaphore.unbounded(0);
    Deque<Integer> queue = new ArrayDeque<>();
    Shared sum = new Shared(0);
    Scope.run(
        scope -> {
          for (int producer = 1; producer <= 2; producer++) {
            int item = producer;
            scope.fork(
                () -> {
                  for (int sent : new int[] {item, end}) {
                    lock.withLock(() -> queue.addLast(sent));
                    filled.release();
                  }
                });
          }
          int open = ends;
          while (open > 0) {
            filled.acquire();
            int item = lock.withLock(() -> queue.removeFirst());
            sum.value += item;
            open -= item == end ? 1 : 0;
          }
          scope.join();
        });
    Bug.require(sum.value == 3, "1 and 2 were sent, " + sum.value + " has arrived");
  }
}
