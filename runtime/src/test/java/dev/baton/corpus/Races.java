// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import static dev.baton.check.Kind.EXCEPTION;
import static dev.baton.check.Kind.INVARIANT;

import dev.baton.check.Check;
import dev.baton.corpus.Bug.Shared;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.OnceCell;
import dev.baton.sync.RwLock;
import dev.baton.sync.UpgradableGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What was true when it was looked at is not true any more when it is acted on. */
final class Races {
  private Races() {}

  static List<Bug> bugs() {
    return List.of(
        new Bug(
                "lost update",
                EXCEPTION,
                "A counter is read under one hold of its lock and written under the next, so an increment gets lost.",
                () -> count(false),
                () -> count(true))
            .andSmall(),
        new Bug(
                "bank transfer in two steps",
                EXCEPTION,
                "Money leaves one account under its lock and reaches the other later; an audit in between finds it missing.",
                Races::transferInTwoSteps,
                Races::transferInOneStep)
            .andSmall(),
        new Bug(
                "last ticket sold twice",
                INVARIANT,
                "Whether a ticket is left is asked under one hold of the lock, and it is sold under another.",
                () -> ticket(false),
                () -> ticket(true))
            .andSmall(),
        new Bug(
                "made twice",
                INVARIANT,
                "A hand-made lazy value: two tasks find it missing and both make it.",
                Races::madeTwice,
                Races::madeOnce)
            .andSmall(),
        new Bug(
                "begun is not done",
                EXCEPTION,
                "The second task sees that the first has begun to initialize and goes on as if it had finished.",
                () -> initialize(false),
                () -> initialize(true))
            .andSmall(),
        new Bug(
                "checked as reader, done as writer",
                INVARIANT,
                "A missing entry is found under the read lock and loaded under the write lock without looking again.",
                Races::loadWithoutLookingAgain,
                Races::loadUpgrading)
            .andSmall(),
        new Bug(
                "unlocked, then read",
                EXCEPTION,
                "A writer unlocks and takes the read lock to look at what it wrote; another writer comes in between.",
                () -> readBack(false),
                () -> readBack(true))
            .andSmall(),
        new Bug(
            "same top, another stack",
            EXCEPTION,
            "A pop compares the top of a stack and not its version: the old top is back, but what was below it is gone.",
            () -> popWhileOthersDo(false),
            () -> popWhileOthersDo(true)),
        new Bug(
                "same instant",
                EXCEPTION,
                "One task sleeps as long as another takes and believes that the other has finished first.",
                () -> reportAt10(false),
                () -> reportAt10(true))
            .andSmall());
  }

  private static void count(boolean inOneHold) throws Exception {
    Mutex lock = new Mutex();
    Shared count = new Shared(0);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  if (inOneHold) {
                    lock.withLock(() -> count.value++);
                  } else {
                    int seen = lock.withLock(() -> count.value);
                    lock.withLock(() -> count.value = seen + 1);
                  }
                });
          }
          scope.join();
        });
    Bug.require(count.value == 2, "two increments made " + count.value);
  }

  private static void transferInTwoSteps() throws Exception {
    Mutex lockA = new Mutex();
    Mutex lockB = new Mutex();
    Shared a = new Shared(100);
    Shared b = new Shared(100);
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                lockA.withLock(() -> a.value -= 30);
                lockB.withLock(() -> b.value += 30); // until now the money is nowhere
              });
          scope.fork(() -> audit(lockA, lockB, a, b));
          scope.join();
        });
  }

  private static void transferInOneStep() throws Exception {
    Mutex lockA = new Mutex();
    Mutex lockB = new Mutex();
    Shared a = new Shared(100);
    Shared b = new Shared(100);
    Scope.run(
        scope -> {
          scope.fork(
              () ->
                  withBoth(
                      lockA,
                      lockB,
                      () -> {
                        a.value -= 30;
                        b.value += 30;
                      }));
          scope.fork(() -> audit(lockA, lockB, a, b));
          scope.join();
        });
  }

  private static void audit(Mutex lockA, Mutex lockB, Shared a, Shared b) throws InterruptedException {
    withBoth(lockA, lockB, () -> Bug.require(a.value + b.value == 200, "the bank has " + (a.value + b.value)));
  }

  private static void withBoth(Mutex first, Mutex second, Runnable body) throws InterruptedException {
    first.withLock(
        () -> {
          second.withLock(() -> body.run());
        });
  }

  private static void ticket(boolean inOneHold) throws Exception {
    Mutex lock = new Mutex();
    Shared sold = new Shared(0);
    Check.always("the one ticket is sold once at most", () -> sold.value <= 1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  if (inOneHold) {
                    lock.withLock(
                        () -> {
                          if (sold.value == 0) {
                            sold.value++;
                          }
                        });
                  } else if (lock.withLock(() -> sold.value == 0)) {
                    lock.withLock(() -> sold.value++);
                  }
                });
          }
          scope.join();
        });
  }

  private static void madeTwice() throws Exception {
    Mutex disk = new Mutex();
    Shared made = new Shared(0);
    boolean[] there = {false};
    Check.always("made once at most", () -> made.value <= 1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  if (!there[0]) {
                    disk.withLock(() -> made.value++); // takes a while
                    there[0] = true;
                  }
                });
          }
          scope.join();
        });
  }

  private static void madeOnce() throws Exception {
    Mutex disk = new Mutex();
    Shared made = new Shared(0);
    OnceCell<Integer> cell = new OnceCell<>();
    Check.always("made once at most", () -> made.value <= 1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(() -> cell.getOrInit(() -> disk.withLock(() -> ++made.value)));
          }
          scope.join();
        });
  }

  private static void initialize(boolean awaitTheEnd) throws Exception {
    Mutex source = new Mutex();
    Event begun = new Event();
    Event done = new Event();
    Shared config = new Shared(0);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  if (begun.set()) { // true for the first
                    source.withLock(() -> config.value = 42);
                    done.set();
                  } else if (awaitTheEnd) {
                    done.await();
                  }
                  Bug.require(config.value == 42, "used before it was there");
                });
          }
          scope.join();
        });
  }

  private static void loadWithoutLookingAgain() throws Exception {
    RwLock lock = new RwLock();
    Shared loads = new Shared(0);
    Check.always("loaded once at most", () -> loads.value <= 1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  if (lock.readLock().withLock(() -> loads.value == 0)) {
                    lock.writeLock().withLock(() -> loads.value++);
                  }
                });
          }
          scope.join();
        });
  }

  private static void loadUpgrading() throws Exception {
    RwLock lock = new RwLock();
    Shared loads = new Shared(0);
    Check.always("loaded once at most", () -> loads.value <= 1);
    Scope.run(
        scope -> {
          for (int i = 0; i < 2; i++) {
            scope.fork(
                () -> {
                  try (UpgradableGuard reading = lock.upgradable()) {
                    if (loads.value == 0) {
                      reading.upgrade(); // what was read stays true
                      loads.value++;
                    }
                  }
                });
          }
          scope.join();
        });
  }

  private static void readBack(boolean downgrade) throws Exception {
    RwLock lock = new RwLock();
    Shared data = new Shared(0);
    Scope.run(
        scope -> {
          for (int i = 1; i <= 2; i++) {
            int mine = i;
            scope.fork(
                () -> {
                  lock.writeLock().lock();
                  data.value = mine;
                  if (downgrade) {
                    lock.downgrade();
                  } else {
                    lock.writeLock().unlock();
                    lock.readLock().lock();
                  }
                  try {
                    Bug.require(data.value == mine, "wrote " + mine + " and reads " + data.value);
                  } finally {
                    lock.readLock().unlock();
                  }
                });
          }
          scope.join();
        });
  }

  private static void popWhileOthersDo(boolean versioned) throws Exception {
    Stack stack = new Stack(versioned);
    int[] taken = new int[2];
    Scope.run(
        scope -> {
          scope.fork(() -> taken[0] = stack.pop());
          scope.fork(
              () -> {
                int first = stack.pop();
                taken[1] = stack.pop();
                stack.push(first); // puts the old top back, above nothing
              });
          scope.join();
        });
    for (int node : stack.nodes()) {
      Bug.require(node != taken[0] && node != taken[1], "node " + node + " is taken and still there");
    }
  }

  /** A lock-free stack of the nodes 1 and 2. */
  private static final class Stack {
    private static final int NODES = 3; // with 0, which stands for none

    private final boolean versioned;
    private final AtomicIntegerArray below = new AtomicIntegerArray(new int[] {0, 2, 0});

    /** The node at the top, plus {@link #NODES} for each version. */
    private final AtomicInteger top = new AtomicInteger(1);

    Stack(boolean versioned) {
      this.versioned = versioned;
    }

    /** The node taken, or 0 if there is none. */
    int pop() throws InterruptedException {
      int seen;
      int next;
      do {
        seen = top.get();
        next = below.get(seen % NODES);
        Time.sleep(Bug.ms(0)); // others may come meanwhile
      } while (!replace(seen, next));
      return seen % NODES;
    }

    void push(int node) throws InterruptedException {
      int seen;
      do {
        seen = top.get();
        below.set(node, seen % NODES);
        Time.sleep(Bug.ms(0));
      } while (!replace(seen, node));
    }

    private boolean replace(int seen, int node) {
      int version = versioned ? seen / NODES + 1 : 0;
      return top.compareAndSet(seen, node + NODES * version);
    }

    List<Integer> nodes() {
      List<Integer> nodes = new ArrayList<>();
      for (int node = top.get() % NODES; node != 0; node = below.get(node)) {
        nodes.add(node);
      }
      return nodes;
    }
  }

  private static void reportAt10(boolean await) throws Exception {
    Shared figures = new Shared(0);
    Event computed = new Event();
    Scope.run(
        scope -> {
          scope.fork(
              () -> {
                Time.sleep(Bug.ms(10));
                figures.value = 42;
                computed.set();
              });
          scope.fork(
              () -> {
                if (await) {
                  computed.await();
                } else {
                  Time.sleep(Bug.ms(10)); // who wakes first is open
                }
                Bug.require(figures.value == 42, "reported before it was computed");
              });
          scope.join();
        });
  }
}
