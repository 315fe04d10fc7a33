// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.SwitchPoints;
import dev.baton.world.Actor;
import dev.baton.world.StepHost;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The laws, against programs that nobody would write: every schedule of them must keep to them. */
class SyncLawsTest extends InEveryWorld {
  private static final int SEEDS = 300;
  private static final int[] MOST_READERS = {1, 2, 3, RwLock.MAX_READERS};

  // ---- random programs ----

  /** Tasks that are interrupted at random, and a clock that runs beside them. */
  private abstract static class Program {
    final int seed;
    final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    final AtomicInteger done = new AtomicInteger();

    /** Futures that were asked for, and those that have ended. */
    final AtomicInteger asked = new AtomicInteger();

    final AtomicInteger answered = new AtomicInteger();

    Program(int seed) {
      this.seed = seed;
    }

    abstract void act(Random random) throws Exception;

    void task(Random random, int actions) {
      for (int i = 0; i < actions; i++) {
        try {
          act(random);
        } catch (InterruptedException | TimeoutException expected) {
          // Given up, and nothing held.
        } catch (Throwable unexpected) {
          failures.add(unexpected);
        }
        // One that came too late must not end what comes next.
        Thread.interrupted();
      }
      done.incrementAndGet();
    }

    void runStepped(int tasks, int actions) {
      StepHost host = new StepHost(seed);
      host.takeTurns();
      List<StepHost.Task> all = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        Random random = new Random(seed * 31L + i);
        all.add(host.start("task " + i, () -> task(random, actions)));
      }
      host.start(
          "clock and interrupts",
          () -> {
            Random random = new Random(seed);
            for (int i = 0; i < 40; i++) {
              SwitchPoints.reach(this);
              host.advance(1);
              if (random.nextInt(4) == 0) {
                host.interrupt(all.get(random.nextInt(tasks)));
              }
            }
          });
      host.settle();
      for (int i = 0; i < 100 && host.alarms() > 0; i++) {
        host.advance(10);
        host.settle();
      }
      assertThat(host.alarms()).as("alarms left, seed %s", seed).isZero();
      finish(tasks);
    }

    void runOnThreads(Worlds kind, int tasks, int actions) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        Random random = new Random(seed * 31L + i);
        Thread.Builder builder = kind == Worlds.VIRTUAL ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        threads.add(builder.start(() -> task(random, actions)));
      }
      Random random = new Random(seed);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while ((done.get() < tasks || !isQuiet()) && System.nanoTime() < end) {
        threads.get(random.nextInt(tasks)).interrupt();
        LockSupport.parkNanos(20_000);
      }
      finish(tasks);
    }

    /** Futures of tasks that have ended may still have to time out. */
    private boolean isQuiet() {
      return asked.get() == answered.get();
    }

    private void finish(int tasks) {
      if (!failures.isEmpty()) {
        throw new AssertionError("seed " + seed, failures.element());
      }
      assertThat(done).as("tasks that have ended, seed %s, %s", seed, this).hasValue(tasks);
      assertThat(answered).as("futures that have ended, seed %s", seed).hasValue(asked.get());
      atEnd();
    }

    abstract void atEnd();
  }

  private static Duration some(Random random) {
    return Duration.ofNanos(random.nextInt(8));
  }

  private static final class Reading extends Program {
    final RwLock lock;
    final AtomicInteger readers = new AtomicInteger();
    final AtomicInteger writers = new AtomicInteger();

    Reading(int seed) {
      super(seed);
      lock = RwLock.withMaxReaders(MOST_READERS[seed % MOST_READERS.length]);
    }

    void reading() {
      readers.incrementAndGet();
      SwitchPoints.reach(this);
      assertThat(writers).as("writers beside a reader, seed %s", seed).hasValue(0);
      assertThat(lock.isWriteLocked()).as("seed %s", seed).isFalse();
      assertThat(lock.readerCount()).as("seed %s", seed).isBetween(1, lock.maxReaders());
      readers.decrementAndGet();
    }

    void writing() {
      assertThat(writers.incrementAndGet()).as("writers, seed %s", seed).isEqualTo(1);
      SwitchPoints.reach(this);
      assertThat(readers).as("readers beside a writer, seed %s", seed).hasValue(0);
      assertThat(lock.isWriteLocked()).as("seed %s", seed).isTrue();
      assertThat(lock.readerCount()).as("seed %s", seed).isZero();
      writers.decrementAndGet();
    }

    @Override
    void act(Random random) throws Exception {
      switch (random.nextInt(10)) {
        case 0 -> {
          lock.readLock().lock();
          reading();
          lock.readLock().unlock();
        }
        case 1 -> {
          try (Guard guard = lock.readLock().guard(some(random))) {
            assertThat(guard).isNotNull();
            reading();
          }
        }
        case 2 -> lock.writeLock().withLock(this::writing);
        case 3 -> {
          if (lock.writeLock().tryLock(some(random))) {
            writing();
            lock.downgrade();
            reading();
            lock.readLock().unlock();
          }
        }
        case 4 -> {
          try (WriteGuard guard = lock.writeLock().guard()) {
            writing();
            try (Guard reading = guard.downgrade()) {
              assertThat(reading).isNotNull();
              reading();
            }
          }
        }
        case 5 -> {
          CompletableFuture<WriteGuard> future =
              random.nextBoolean() ? lock.writeLock().lockAsync() : lock.writeLock().lockAsync(some(random));
          answer(future, this::writing);
          later(random, future);
        }
        case 6 -> {
          CompletableFuture<Guard> future =
              random.nextBoolean() ? lock.readLock().lockAsync() : lock.readLock().lockAsync(some(random));
          answer(future, this::reading);
          later(random, future);
        }
        case 7 -> {
          Optional<UpgradableGuard> tried = lock.tryUpgradable();
          if (tried.isPresent()) {
            try (UpgradableGuard guard = tried.get()) {
              reading();
              if (guard.tryUpgrade()) {
                writing();
              }
            }
          }
        }
        case 8 -> {
          try (UpgradableGuard guard = lock.upgradable(some(random))) {
            upgrade(random, guard);
          }
        }
        default -> {
          try (UpgradableGuard guard = lock.upgradable()) {
            upgrade(random, guard);
          }
        }
      }
    }

    private void upgrade(Random random, UpgradableGuard guard) throws InterruptedException {
      reading();
      try {
        if (guard.upgrade(some(random))) {
          writing();
          if (random.nextBoolean()) {
            guard.downgrade();
            reading();
          }
        } else {
          reading();
        }
      } catch (InterruptedException e) {
        reading();
      }
      guard.upgrade();
      writing();
      if (random.nextInt(4) == 0) {
        lock.writeLock().unlock();
      }
    }

    private <G extends Guard> void answer(CompletableFuture<G> future, Runnable held) {
      asked.incrementAndGet();
      future.whenComplete(
          (guard, error) -> {
            if (guard != null) {
              try {
                held.run();
              } catch (Throwable t) {
                failures.add(t);
              } finally {
                guard.close();
              }
            }
            answered.incrementAndGet();
          });
    }

    private void later(Random random, CompletableFuture<?> future) {
      if (random.nextBoolean()) {
        SwitchPoints.reach(this);
        future.cancel(true);
      }
    }

    @Override
    void atEnd() {
      assertThat(lock.waiting()).as("seed %s", seed).isZero();
      assertThat(lock.readerCount()).as("seed %s", seed).isZero();
      assertThat(lock.isWriteLocked()).as("seed %s", seed).isFalse();
      try (UpgradableGuard all = lock.tryUpgradable().orElseThrow()) {
        assertThat(all.tryUpgrade()).as("seed %s", seed).isTrue();
      }
      assertThat(lock.writeLock().tryLock()).as("seed %s", seed).isTrue();
    }

    @Override
    public String toString() {
      return lock + ", " + lock.waiting() + " waiting";
    }
  }

  @Test
  void readersAndWritersNeverMeetAndTheCountsAreExactInTheEnd() {
    for (int seed = 0; seed < (kind == Worlds.STEPPED ? SEEDS : 20); seed++) {
      Reading program = new Reading(seed);
      if (kind == Worlds.STEPPED) {
        program.runStepped(4, 6);
      } else {
        program.runOnThreads(kind, 4, 100);
      }
    }
  }

  /** Each notification ends one wait or is kept; each round of the barrier has one leader and as many others as it should. */
  private static final class Telling extends Program {
    final Notify notify = new Notify();
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger told = new AtomicInteger();
    final Barrier barrier;
    final AtomicInteger arrived = new AtomicInteger();
    final AtomicInteger led = new AtomicInteger();

    Telling(int seed) {
      super(seed);
      barrier = Barrier.of(1 + seed % 3);
    }

    private void met(boolean leader) {
      arrived.incrementAndGet();
      if (leader) {
        led.incrementAndGet();
      }
    }

    @Override
    void act(Random random) throws Exception {
      switch (random.nextInt(9)) {
        case 0 -> {
          if (notify.await(some(random))) {
            taken.incrementAndGet();
          }
        }
        case 1 -> {
          CompletableFuture<Void> future = notify.awaitAsync(some(random));
          asked.incrementAndGet();
          future.whenComplete(
              (nothing, error) -> {
                if (error == null) {
                  taken.incrementAndGet();
                }
                answered.incrementAndGet();
              });
          if (random.nextBoolean()) {
            SwitchPoints.reach(this);
            future.cancel(true);
          }
        }
        case 2, 3 -> {
          told.incrementAndGet();
          notify.notifyOne();
        }
        case 4 -> {
          told.incrementAndGet();
          notify.notifyLast();
        }
        case 5 -> met(barrier.await(some(random)));
        case 6 -> met(barrier.await(Duration.ZERO));
        case 7 -> {
          asked.incrementAndGet();
          barrier
              .awaitAsync(some(random))
              .whenComplete(
                  (leader, error) -> {
                    if (leader != null) {
                      met(leader);
                    }
                    answered.incrementAndGet();
                  });
        }
        default -> {
          assertThat(barrier.waiting()).isLessThan(barrier.parties());
          assertThat(notify.waiting()).isGreaterThanOrEqualTo(0);
        }
      }
    }

    @Override
    void atEnd() {
      assertThat(notify.waiting()).as("seed %s", seed).isZero();
      assertThat(barrier.waiting()).as("seed %s", seed).isZero();
      assertThat(taken.get()).as("notifications taken, seed %s", seed).isLessThanOrEqualTo(told.get());
      assertThat(led.get()).as("leaders, seed %s", seed).isEqualTo((int) barrier.generation());
      assertThat(arrived.get()).as("arrivals, seed %s", seed).isEqualTo((int) barrier.generation() * barrier.parties());
    }
  }

  @Test
  void noNotificationCountsTwiceAndEachRoundHasAllOfItsArrivals() {
    for (int seed = 0; seed < (kind == Worlds.STEPPED ? SEEDS : 10); seed++) {
      Telling program = new Telling(seed);
      if (kind == Worlds.STEPPED) {
        program.runStepped(4, 8);
      } else {
        program.runOnThreads(kind, 4, 200);
      }
    }
  }

  // ---- callbacks ----

  @Test
  void theCallbackOfACancelledFutureMayWaitForTheOneThatIsServedInItsPlace() throws Exception {
    RwLock lock = new RwLock();
    lock.readLock().lock();
    CompletableFuture<WriteGuard> writer = lock.writeLock().lockAsync();
    Event served = new Event();
    Actor<Void> reader =
        world()
            .start(
                "reader",
                () -> {
                  lock.readLock().lockInterruptibly();
                  served.set();
                });
    assertThat(reader.isWaiting()).isTrue();
    AtomicReference<Object> seen = new AtomicReference<>();
    writer.whenComplete(
        (guard, error) -> {
          try {
            seen.set(served.await(Duration.ofSeconds(3)));
          } catch (InterruptedException e) {
            seen.set(e);
          }
        });
    world().call("cancel", () -> writer.cancel(true)).result();
    assertThat(seen).hasValue(true);
  }

  // ---- guards that others close ----

  @Test
  @SuppressWarnings("WaitNotInLoop") // what is tested is one wait
  void anUpgradedGuardClosedDuringAConditionWaitLeavesNothingBehind() throws Exception {
    RwLock lock = new RwLock();
    Condition condition = lock.writeLock().newCondition();
    AtomicReference<UpgradableGuard> shared = new AtomicReference<>();
    Actor<Void> waiter =
        world()
            .start(
                "waiter",
                () -> {
                  try (UpgradableGuard guard = lock.upgradable()) {
                    shared.set(guard);
                    guard.upgrade();
                    condition.await();
                  }
                });
    world().start("closer", () -> shared.get().close()).result();
    world()
        .start(
            "signaller",
            () -> {
              lock.writeLock().lock();
              condition.signal();
              lock.writeLock().unlock();
            })
        .result();
    waiter.result();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.tryUpgradable()).isPresent();
  }

  @Test
  void aGuardClosedTwiceBesideItsUpgradeIsGivenUpOnce() throws Exception {
    RwLock lock = RwLock.withMaxReaders(2);
    lock.readLock().lock();
    UpgradableGuard guard = world().call("upgradable", lock::upgradable).result();
    Actor<Void> upgrade = world().start("upgrade", guard::upgrade);
    Actor<WriteGuard> writer = world().call("writer", lock.writeLock()::guard);
    guard.close();
    guard.close();
    assertThat(lock.readerCount()).isEqualTo(2);
    lock.readLock().unlock();
    assertThat(upgrade.failure()).isInstanceOf(IllegalStateException.class);
    WriteGuard writing = writer.result();
    guard.close();
    assertThat(lock.isWriteLocked()).isTrue();
    writing.close();
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.tryUpgradable()).isPresent();
  }

  // ---- from inside of callbacks ----

  @Test
  void aCallbackThatArrivesAgainBelongsToTheNextRound() {
    Barrier barrier = Barrier.of(2);
    AtomicReference<CompletableFuture<Boolean>> again = new AtomicReference<>();
    CompletableFuture<Boolean> first = barrier.awaitAsync();
    first.thenRun(() -> again.set(barrier.awaitAsync()));
    assertThat(barrier.awaitAsync()).isCompletedWithValue(true);
    assertThat(first).isCompletedWithValue(false);
    assertThat(barrier.generation()).isEqualTo(1);
    assertThat(barrier.waiting()).isEqualTo(1);
    assertThat(again.get()).isNotDone();
    assertThat(again.get().cancel(true)).isTrue();
    assertThat(barrier.waiting()).isZero();
    assertThat(barrier.generation()).isEqualTo(1);
  }

  @Test
  void aWaitCompletedByHandFromACallbackPassesItsNotificationOn() {
    Notify notify = new Notify();
    CompletableFuture<Void> first = notify.awaitAsync();
    CompletableFuture<Void> second = notify.awaitAsync();
    CompletableFuture<Void> third = notify.awaitAsync();
    // Told and not yet delivered is nobody here: each is told alone, so the second leaves the line.
    first.thenRun(() -> second.complete(null));
    notify.notifyOne();
    assertThat(second).isCompleted();
    assertThat(third).isNotDone();
    assertThat(notify.waiting()).isEqualTo(1);
    notify.notifyLast();
    assertThat(third).isCompleted();
    assertThat(notify.awaitAsync(Duration.ZERO)).isCompletedExceptionally();
  }

  @Test
  void anInitializerThatSetsItsCellOrFailsWithAnErrorLeavesItToTheNext() throws Exception {
    OnceCell<String> cell = new OnceCell<>();
    Error error = new AssertionError("no");
    assertThatThrownBy(
            () ->
                cell.getOrInit(
                    () -> {
                      assertThat(cell.trySet("inside")).isFalse();
                      assertThatThrownBy(() -> cell.set("inside")).isInstanceOf(InitializingException.class);
                      throw error;
                    }))
        .isSameAs(error);
    assertThat(cell.waiting()).isZero();
    String made =
        cell.getOrInit(
            () -> {
              Thread.currentThread().interrupt();
              return "outside";
            });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(made).isEqualTo("outside");
    assertThat(cell.trySet("late")).isFalse();
    assertThat(cell.waiting()).isZero();
  }

  @Test
  void aMirrorThatIsObtrudedOrCompletedConcernsNobodyElse() throws Exception {
    Promise<String> promise = new Promise<>();
    CompletableFuture<String> obtruded = promise.future().toCompletableFuture();
    CompletableFuture<String> completed = promise.future().toCompletableFuture();
    CompletableFuture<String> cancelled = promise.future().toCompletableFuture();
    CompletableFuture<String> left = promise.future().toCompletableFuture();
    obtruded.obtrudeValue("mine");
    assertThat(completed.complete("mine")).isTrue();
    left.thenRun(() -> promise.complete("from its own callback"));
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(promise.complete("value")).isTrue();
    assertThat(obtruded).isCompletedWithValue("mine");
    assertThat(completed).isCompletedWithValue("mine");
    assertThat(left).isCompletedWithValue("value");
    assertThat(promise.future().await()).isEqualTo("value");
  }
}
