// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.internal.observe.Waits;
import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Wait;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Barrier;
import dev.baton.sync.Event;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Notify;
import dev.baton.sync.OnceCell;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import dev.baton.sync.UpgradableGuard;
import dev.baton.sync.VoidBody;
import dev.baton.world.World;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The graph of a running program, on real threads that really hang. */
@Timeout(120)
@Isolated // tracking is for the whole JVM
class DumpTest {
  private final List<Thread> threads = new ArrayList<>();

  @BeforeEach
  void on() {
    Baton.track(Tracking.ON);
  }

  @AfterEach
  void off() throws Exception {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      assertThat(thread.join(World.PATIENCE)).as("%s ended", thread).isTrue();
    }
    eventually(() -> Waits.size() == 0, () -> "nothing stays written down");
    Baton.track(Tracking.OFF);
  }

  // ---- deadlocks ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twoThreadsOverTwoMutexesAreFoundWithBothLines(boolean virtual) throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    start(virtual, "one", () -> lockBoth(left, both, right));
    start(virtual, "two", () -> lockBoth(right, both, left));
    WaitGraph graph = dumpOf(2);

    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("one", "two");
    assertThat(graph.cycles()).hasSize(1);
    for (Wait wait : graph.cycles().getFirst()) {
      assertThat(wait.line()).hasValueSatisfying(line -> assertThat(line.getMethodName()).isEqualTo("lockBoth"));
      assertThat(wait.resource().name()).startsWith("Mutex ");
      assertThat(wait.permits()).isZero();
      assertThat(graph.holdersOf(wait.resource())).hasSize(1).allMatch(hold -> hold.stack().isEmpty());
    }
    assertThat(graph.toText()).startsWith("Deadlock: 2 tasks wait for each other\n").contains("DumpTest.lockBoth");
  }

  @Test
  void theJdkFindsNoDeadlockAmongTheSameVirtualThreads() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "one", () -> lockBoth(left, both, right));
    start(true, "two", () -> lockBoth(right, both, left));

    assertThat(dumpOf(2).deadlocked()).hasSize(2);
    assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
  }

  @Test
  void aRingOfThree() throws Exception {
    List<Mutex> forks = List.of(new Mutex(), new Mutex(), new Mutex());
    CyclicBarrier all = new CyclicBarrier(3);
    for (int i = 0; i < 3; i++) {
      Mutex mine = forks.get(i);
      Mutex next = forks.get((i + 1) % 3);
      start(true, "philosopher " + i, () -> lockBoth(mine, all, next));
    }
    start(true, "guest", () -> forks.getFirst().lockInterruptibly());
    WaitGraph graph = dumpOf(4);

    assertThat(graph.cycles()).hasSize(1).first().satisfies(ring -> assertThat(ring).hasSize(3));
    assertThat(graph.deadlocked()).hasSize(4);
    assertThat(graph.toText()).contains("Deadlock: 3 tasks wait for each other", "1 more task waits:\n  guest waits for Mutex");
  }

  @Test
  void readersWhoWantToWriteWhereTheOtherReads() throws Exception {
    RwLock one = new RwLock();
    RwLock two = new RwLock();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "a", () -> lockBoth(one.readLock(), both, two.writeLock()));
    start(true, "b", () -> lockBoth(two.readLock(), both, one.writeLock()));
    WaitGraph graph = dumpOf(2);

    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("a", "b");
    assertThat(graph.toText()).contains("RwLock ");
  }

  @Test
  void anUpgradeThatWaitsForAReaderWhoWaitsForIt() throws Exception {
    RwLock rw = new RwLock();
    Mutex mutex = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    start(
        true,
        "upgrader",
        () -> {
          try (UpgradableGuard guard = rw.upgradable();
              Guard _ = mutex.guard()) {
            both.await();
            guard.upgrade();
          }
        });
    start(true, "reader", () -> lockBoth(rw.readLock(), both, mutex));
    WaitGraph graph = dumpOf(2);

    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("upgrader", "reader");
    assertThat(graph.cycles()).hasSize(1).first().satisfies(ring -> assertThat(ring).hasSize(2));
    assertThat(graph.toText()).contains("the upgrade of RwLock ");
  }

  @Test
  void anUpgradeDoesNotWaitForItsOwnReadNorTheNextUpgraderForReaders() throws Exception {
    RwLock rw = new RwLock();
    Mutex mutex = new Mutex();
    Event stop = new Event();
    start(
        true,
        "reader",
        () -> {
          try (Guard _ = rw.readLock().guard()) {
            stop.await();
          }
        });
    dumpOf(1);
    start(
        true,
        "upgrader",
        () -> {
          try (UpgradableGuard guard = rw.upgradable()) {
            guard.upgrade();
          }
        });
    dumpOf(2);
    start(
        true,
        "next",
        () -> {
          try (Guard _ = mutex.guard();
              UpgradableGuard _ = rw.upgradable()) {
            stop.await();
          }
        });
    WaitGraph graph = dumpOf(3);

    assertThat(graph.cycles()).isEmpty();
    assertThat(holdersOf(graph, "upgrader")).containsExactly("reader");
    assertThat(holdersOf(graph, "next")).containsExactly("upgrader");
    stop.set();
  }

  @Test
  void permitsThatAreHeld() throws Exception {
    Semaphore one = Semaphore.of(1);
    Semaphore two = Semaphore.of(2);
    CyclicBarrier both = new CyclicBarrier(2);
    start(
        true,
        "a",
        () -> {
          try (Permit _ = one.hold()) {
            both.await();
            two.hold(2).close();
          }
        });
    start(
        true,
        "b",
        () ->
            two.withPermit(
                2,
                () -> {
                  both.await();
                  one.acquire();
                }));
    WaitGraph graph = dumpOf(2);

    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("a", "b");
    assertThat(graph.toText()).contains("a waits for 2 permits of Semaphore", "of which b has 2 permits", "of which a has 1 permit");
  }

  @Test
  void whoHasPermitsByAcquireIsNotKnownAndNotAccused() throws Exception {
    Semaphore permits = Semaphore.of(3);
    permits.acquire(2);
    CompletableFuture<Permit> future = permits.acquireAsync();
    start(true, "waiter", () -> permits.acquire(2));
    WaitGraph graph = dumpOf(1);

    assertThat(graph.deadlocked()).isEmpty();
    assertThat(graph.toText())
        .contains("waiter waits for 2 permits of Semaphore")
        .contains("2 permits held by acquire() without a Permit: holder unknown")
        .contains("1 permit held by a Permit of acquireAsync, for no task");
    future.join().close();
    permits.release(2);
  }

  @Test
  void whoSplitsAPermitHoldsBothAndWhoMergesHoldsOne() throws Exception {
    Semaphore permits = Semaphore.of(3);
    Permit whole = permits.hold(3);
    Permit part = whole.split(1);
    start(true, "waiter", () -> permits.acquire());
    assertThat(holds(dumpOf(1))).extracting(Hold::permits).containsExactlyInAnyOrder(1L, 2L);
    whole.merge(part);
    assertThat(holds(dumpOf(1))).extracting(Hold::permits).containsExactly(3L);
    whole.close();
  }

  @Test
  void asManyHoldersAsThereAreAreKnown() throws Exception {
    int many = 500;
    Semaphore permits = Semaphore.of(many);
    RwLock rw = new RwLock();
    List<Permit> held = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      held.add(permits.hold());
      rw.readLock().lock();
    }
    start(true, "acquirer", () -> permits.acquire());
    start(true, "writer", () -> rw.writeLock().lockInterruptibly());
    WaitGraph graph = dumpOf(2);

    assertThat(holdersOf(graph, "acquirer")).hasSize(many).containsOnly(Thread.currentThread().getName());
    assertThat(holdersOf(graph, "writer")).hasSize(many).containsOnly(Thread.currentThread().getName());
    held.forEach(Permit::close);
    for (int i = 0; i < many; i++) {
      rw.readLock().unlock();
    }
    permits.acquire(many - 1);
    start(true, "last", () -> permits.acquire(2));
    assertThat(holdersOf(dumpOf(1), "last")).containsExactly("held by acquire() without a Permit: holder unknown");
    permits.release(many - 1);
  }

  @Test
  void aLockHeldByATaskThatJoinsATaskThatWaitsForIt() throws Exception {
    Mutex mutex = new Mutex();
    start(
        true,
        "owner",
        () -> {
          try (Guard _ = mutex.guard();
              Scope scope = Scope.open()) {
            Task<String> task = scope.fork(() -> mutex.withLock(() -> "never"));
            task.await();
          }
        });
    start(
        true,
        "joiner",
        () -> {
          Mutex other = new Mutex();
          try (Guard _ = other.guard();
              Scope scope = Scope.open()) {
            scope.fork(() -> other.withLock(() -> {}));
            scope.join();
          }
        });
    WaitGraph graph = dumpOf(4);

    assertThat(graph.cycles()).hasSize(2);
    assertThat(graph.deadlocked()).hasSize(4);
    assertThat(graph.holds()).filteredOn(hold -> hold.relation() == Relation.ENDS).hasSize(2);
    assertThat(graph.toText()).contains("owner waits for Task ", "joiner waits for Scope ", "    until fork at DumpTest.java:");
  }

  @Test
  void oneWhoWaitsForItsOwnPermit() throws Exception {
    Semaphore permits = Semaphore.of(1);
    start(
        true,
        "self",
        () -> {
          try (Permit _ = permits.hold()) {
            permits.acquire();
          }
        });
    assertThat(dumpOf(1).toText()).startsWith("Deadlock: 1 task waits for itself\n");
  }

  @Test
  void twoCellsWhoseInitializersWaitForEachOther() throws Exception {
    OnceCell<String> one = new OnceCell<>();
    OnceCell<String> two = new OnceCell<>();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "a", () -> one.getOrInit(() -> meet(both, () -> two.getOrInit(() -> "b"))));
    start(true, "b", () -> two.getOrInit(() -> meet(both, () -> one.getOrInit(() -> "a"))));

    assertThat(names(dumpOf(2).deadlocked())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // it never comes back
  void aSignalledWaiterWaitsForTheLockAgain() throws Exception {
    Mutex mutex = new Mutex();
    Condition condition = mutex.newCondition();
    Mutex other = new Mutex();
    start(
        true,
        "waiter",
        () -> {
          try (Guard _ = other.guard();
              Guard _ = mutex.guard()) {
            condition.await();
          }
        });
    assertThat(dumpOf(1).toText()).contains("waiter waits for Condition ");
    start(
        true,
        "signaller",
        () -> {
          try (Guard _ = mutex.guard()) {
            condition.signal();
            other.lockInterruptibly();
          }
        });
    WaitGraph graph = dumpOf(2);
    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("waiter", "signaller");
  }

  // ---- no deadlocks ----

  @Test
  void aChainIsNoDeadlock() throws Exception {
    Mutex near = new Mutex();
    Mutex far = new Mutex();
    near.lock();
    start(true, "middle", () -> lockBoth(far, new CyclicBarrier(1), near));
    dumpOf(1);
    start(true, "last", () -> far.lockInterruptibly());
    WaitGraph graph = dumpOf(2);

    assertThat(graph.cycles()).isEmpty();
    assertThat(graph.deadlocked()).isEmpty();
    assertThat(holdersOf(graph, "middle")).containsExactly(Thread.currentThread().getName());
    assertThat(holdersOf(graph, "last")).containsExactly("middle");
    near.unlock();
  }

  @Test
  void oneThatIsInterruptedResolvesItAndTheNextDumpIsEmpty() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    Thread one = start(true, "one", () -> lockBoth(left, both, right));
    start(true, "two", () -> lockBoth(right, both, left));
    dumpOf(2);
    one.interrupt();
    eventually(() -> Baton.dump().isEmpty(), () -> "empty, not " + Baton.dump());
    assertThat(Baton.dump().toText()).isEqualTo("Nobody waits.\n");
  }

  @Test
  void everyKindOfWaitIsShownByItsNameAndThatOfTheTime() throws Exception {
    Mutex mutex = new Mutex();
    RwLock rw = new RwLock();
    Guard writing = rw.writeLock().guard();
    Guard locked = mutex.guard();
    start(true, "mutex", () -> mutex.lockInterruptibly());
    start(true, "read", () -> rw.readLock().lockInterruptibly());
    start(true, "event", () -> new Event().await());
    start(true, "notify", () -> new Notify().await());
    start(true, "barrier", () -> Barrier.of(2).await());
    start(true, "promise", () -> new Promise<String>().future().await());
    start(true, "semaphore", () -> Semaphore.unbounded(0).acquire());
    start(true, "sleeper", () -> Time.sleep(Duration.ofDays(1)));
    WaitGraph graph = dumpOf(7);

    for (Wait wait : graph.waits()) {
      assertThat(wait.resource().name()).startsWithIgnoringCase(wait.task().name().equals("read") ? "RwLock" : wait.task().name());
      assertThat(wait.waited()).isPositive();
      assertThat(wait.line()).isPresent();
    }
    assertThat(holdersOf(graph, "semaphore")).containsExactly("anybody may release more: it is unbounded");
    assertThat(holdersOf(graph, "event")).isEmpty();
    locked.close();
    writing.close();
  }

  @Test
  void futuresThatWaitAreShownUntilTheyDoNot() throws Exception {
    Semaphore permits = Semaphore.of(1);
    Permit held = permits.hold();
    Mutex mutex = new Mutex();
    Guard locked = mutex.guard();
    CompletableFuture<Permit> granted = permits.acquireAsync();
    CompletableFuture<Permit> cancelled = permits.acquireAsync();
    CompletableFuture<Permit> late = permits.acquireAsync(Duration.ofMillis(1));
    List<CompletableFuture<?>> others =
        List.of(
            mutex.lockAsync(),
            new Event().awaitAsync(),
            new Notify().awaitAsync(),
            Barrier.of(2).awaitAsync(),
            new Promise<String>().future().toCompletableFuture());
    assertThat(Baton.dump().toText())
        .contains("a future waits for 1 permit of Semaphore ", "a future waits for Mutex ", "a future waits for Event ")
        .contains("a future waits for Notify ", "a future waits for Barrier ", "a future waits for Promise ");
    cancelled.cancel(true);
    assertThat(late.handle((permit, failure) -> failure).get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(Baton.dump().waits()).hasSize(6);
    held.close();
    granted.join().close();
    others.forEach(future -> future.cancel(true));
    locked.close();
    assertThat(Baton.dump().isEmpty()).isTrue();
  }

  @Test
  void aThreadThatWaitsForAFutureOfOursIsShownToo() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "one", () -> lockBoth(left, both, right));
    start(
        true,
        "two",
        () -> {
          try (Guard _ = right.guard()) {
            both.await();
            left.lockAsync().get().close();
          }
        });
    WaitGraph graph = dumpOf(3);
    assertThat(names(graph.deadlocked())).contains("one", "two");
  }

  // ---- what is written down ----

  @Test
  void withTrackingOffThereIsNothingButAdvice() {
    Baton.track(Tracking.OFF);
    WaitGraph graph = Baton.dump();
    assertThat(graph.isEmpty()).isTrue();
    assertThat(graph.toText()).contains("Baton.track(Tracking.ON)");
    assertThat(graph.toSvg()).contains("Baton.track(Tracking.ON)");
  }

  @Test
  void withStacksTheLineWhereItWasTakenIsKnown() throws Exception {
    Baton.track(Tracking.STACKS);
    Mutex mutex = new Mutex();
    Semaphore permits = Semaphore.of(1);
    RwLock rw = new RwLock();
    OnceCell<String> cell = new OnceCell<>();
    Guard guard = mutex.guard();
    Permit permit = permits.acquireAsync().join();
    Guard reading = rw.readLock().guard();
    start(true, "mutex", () -> mutex.lockInterruptibly());
    start(true, "permits", () -> permits.acquire());
    start(true, "rw", () -> rw.writeLock().lockInterruptibly());
    cell.getOrInit(
        () -> {
          start(true, "cell", () -> cell.getOrInit(() -> "other"));
          WaitGraph graph = dumpOf(4);
          assertThat(graph.holds()).hasSize(4);
          for (Hold hold : graph.holds()) {
            assertThat(hold.line()).hasValueSatisfying(line -> assertThat(line.getFileName()).isEqualTo("DumpTest.java"));
          }
          assertThat(graph.toText()).contains("took at DumpTest.java:");
          return "value";
        });
    guard.close();
    permit.close();
    reading.close();
  }

  @ParameterizedTest
  @EnumSource(Tracking.class)
  void whateverChangesMeanwhileNothingStaysWrittenDown(Tracking later) throws Exception {
    Mutex mutex = new Mutex();
    Semaphore permits = Semaphore.of(1);
    mutex.lock();
    Permit permit = permits.hold();
    start(true, "waiter", () -> mutex.lockInterruptibly());
    dumpOf(1);
    Baton.track(later);
    start(true, "later", () -> mutex.lockInterruptibly());
    mutex.unlock();
    permit.close();
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
    assertThat(Waits.size()).isZero();
    Baton.track(Tracking.ON);
    assertThat(Baton.dump().isEmpty()).isTrue();
    start(true, "asker", () -> permits.withPermit(() -> permits.acquire()));
    assertThat(holds(dumpOf(1))).hasSize(1);
  }

  @Test
  void aLockTakenBeforeTrackingIsKnownByTheNumberOfItsThread() throws Exception {
    Baton.track(Tracking.OFF);
    Mutex mutex = new Mutex();
    mutex.lock();
    Baton.track(Tracking.ON);
    start(true, "waiter", () -> mutex.lockInterruptibly());
    assertThat(holdersOf(dumpOf(1), "waiter")).containsExactly("thread #" + Thread.currentThread().threadId());
    mutex.unlock();
  }

  @Test
  void aPrimitiveKeepsItsNumberAndIsNotKept() throws Exception {
    WeakReference<Semaphore> shown = new WeakReference<>(showOne());
    eventually(
        () -> {
          System.gc();
          return shown.refersTo(null);
        },
        () -> "the semaphore is gone");
  }

  @Test
  void aFutureThatNobodyCanCompleteIsNotKeptByItsWait() throws Exception {
    List<WeakReference<Object>> lost = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      lost.add(new WeakReference<>(awaited(i)));
    }
    Event kept = new Event();
    kept.awaitAsync();
    eventually(
        () -> {
          System.gc();
          return lost.stream().allMatch(primitive -> primitive.refersTo(null));
        },
        () -> "what nobody has is gone");
    assertThat(dumpOf(1).waits().getFirst().task().name()).isEqualTo("a future");
    eventually(() -> Waits.size() == 1, () -> "only the one that somebody can complete stays written down");
    kept.set();
  }

  /** Something that a future waits for, which is lost with it. */
  private static Object awaited(int kind) {
    return switch (kind) {
      case 0 -> {
        Event event = new Event();
        event.awaitAsync();
        yield event;
      }
      case 1 -> {
        Semaphore permits = Semaphore.unbounded(0);
        permits.acquireAsync();
        yield permits;
      }
      case 2 -> {
        Channel<String> channel = Channel.rendezvous();
        channel.receiveAsync();
        yield channel;
      }
      default -> {
        Promise<String> promise = new Promise<>();
        promise.future().toCompletableFuture();
        yield promise.future();
      }
    };
  }

  @Test
  void aPermitThatIsClosedIsNotKeptByItsSemaphore() throws Exception {
    Semaphore permits = Semaphore.of(3);
    List<WeakReference<Permit>> closed = new ArrayList<>();
    closed.add(new WeakReference<>(emptied(permits)));
    closed.add(new WeakReference<>(merged(permits)));
    try (Permit nothing = permits.hold(0)) {
      closed.add(new WeakReference<>(nothing));
    }
    try (Permit late = permits.acquireAsync().join()) {
      closed.add(new WeakReference<>(late));
    }
    Permit forgotten = permits.hold();
    closed.add(new WeakReference<>(forgotten));
    forgotten.forget();
    forgotten = emptied(permits);
    eventually(
        () -> {
          System.gc();
          return closed.stream().allMatch(permit -> permit.refersTo(null));
        },
        () -> "all are gone from " + permits);
    assertThat(forgotten.count()).isZero();
  }

  private static Permit emptied(Semaphore permits) throws InterruptedException {
    Permit whole = permits.hold(2);
    whole.split(2).close();
    whole.close();
    return whole;
  }

  private static Permit merged(Semaphore permits) throws InterruptedException {
    try (Permit whole = permits.hold()) {
      Permit other = permits.hold();
      whole.merge(other);
      return other;
    }
  }

  private Semaphore showOne() throws Exception {
    Semaphore permits = Semaphore.of(1);
    try (Permit _ = permits.hold()) {
      start(true, "waiter", () -> permits.acquire());
      String name = dumpOf(1).waits().getFirst().resource().name();
      assertThat(dumpOf(1).waits().getFirst().resource().name()).isEqualTo(name);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    return permits;
  }

  @Test
  void threadsOfTheSameNameAreToldApart() throws Exception {
    Event event = new Event();
    Thread one = start(true, "worker", event::await);
    Thread two = start(false, "worker", event::await);
    start(true, "", event::await);
    assertThat(dumpOf(3).waits())
        .extracting(wait -> wait.task().name())
        .contains("virtual thread #" + one.threadId() + " worker", "thread #" + two.threadId() + " worker")
        .anyMatch(name -> name.matches("virtual thread #\\d+"));
    event.set();
  }

  // ---- pools ----

  @Test
  void whoBorrowsFromTwoPoolsInTheOtherOrderIsFound() throws Exception {
    Pool<String> left = Pool.of(1, () -> "left");
    Pool<String> right = Pool.of(1, () -> "right");
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "one", () -> borrowBoth(left, both, right));
    start(false, "two", () -> borrowBoth(right, both, left));
    WaitGraph graph = dumpOf(2);

    assertThat(names(graph.deadlocked())).containsExactlyInAnyOrder("one", "two");
    assertThat(graph.cycles()).hasSize(1);
    for (Wait wait : graph.waits()) {
      assertThat(wait.resource().name()).startsWith("Pool ");
      assertThat(wait.line()).hasValueSatisfying(line -> assertThat(line.getMethodName()).isEqualTo("borrowBoth"));
      assertThat(graph.holdersOf(wait.resource())).hasSize(1);
    }
  }

  @Test
  void aBorrowerThatIsNoTaskOrCameBeforeIsShownAsUnknown() throws Exception {
    Baton.track(Tracking.OFF);
    Pool<String> pool = Pool.of(2, () -> "resource");
    Borrowed<String> before = pool.acquire();
    Baton.track(Tracking.ON);
    Borrowed<String> ofNobody = pool.acquireAsync().get();
    start(true, "waits", () -> pool.acquire().close());
    WaitGraph graph = dumpOf(1);

    assertThat(graph.holdersOf(graph.waits().getFirst().resource()))
        .extracting(hold -> hold.task().name())
        .containsExactlyInAnyOrder(
            "borrowed by acquireAsync, for no task", "borrowed before it was written down: holder unknown");
    before.close();
    ofNobody.close();
  }

  private static void borrowBoth(Pool<String> first, CyclicBarrier both, Pool<String> second) throws Exception {
    try (Borrowed<String> _ = first.acquire()) {
      both.await();
      second.acquire().close();
    }
  }

  // ---- selects ----

  @Test
  void aSelectWaitsForEachOfItsClauses() throws Exception {
    Channel<String> values = Channel.rendezvous();
    Semaphore permits = Semaphore.of(3);
    Event event = new Event();
    CompletableFuture<String> foreign = new CompletableFuture<>();
    try (Permit _ = permits.hold(2)) {
      start(
          true,
          "selector",
          () ->
              Select.of(
                      Select.receive(values, value -> value),
                      Select.send(values, "x", () -> "sent"),
                      Select.permits(permits, 2, permit -> "permits"),
                      Select.event(event, () -> "event"),
                      Select.stage(foreign, result -> "stage"))
                  .run());
      WaitGraph graph = dumpOf(4);

      assertThat(graph.waits()).extracting(wait -> wait.task().name()).containsOnly("selector");
      assertThat(graph.waits())
          .extracting(wait -> wait.resource().name().replaceAll(" \\d+", ""))
          .containsExactly("Channel", "Semaphore", "Event", "CompletableFuture");
      assertThat(graph.waits()).extracting(Wait::permits).containsExactly(0L, 2L, 0L, 0L);
      assertThat(holdersOf(graph, "selector")).containsExactly(Thread.currentThread().getName());
      assertThat(graph.deadlocked()).isEmpty();
      assertThat(graph.toText())
          .startsWith("1 task waits:")
          .containsPattern("selector waits for Channel \\d+ or 2 permits of Semaphore \\d+ or Event \\d+ or CompletableFuture \\d+ at ")
          .containsPattern("Semaphore \\d+, of which .* has 2 permits");
    }
    event.set();
  }

  @Test
  void aRingThroughASelectWithoutAnotherWayOutIsADeadlock() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "one", () -> lockBoth(left, both, right));
    start(
        true,
        "two",
        () -> {
          try (Guard _ = right.guard()) {
            both.await();
            Select.of(Select.lock(left, guard -> "left")).run();
          }
        });
    assertThat(dumpOf(2).deadlocked()).extracting(Node::name).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void aRingThroughASelectWithAnotherWayOutIsOnlyARing() throws Exception {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    Event wayOut = new Event();
    CyclicBarrier both = new CyclicBarrier(2);
    start(true, "one", () -> lockBoth(left, both, right));
    start(
        true,
        "two",
        () -> {
          try (Guard _ = right.guard()) {
            both.await();
            Select.of(Select.lock(left, guard -> "left"), Select.event(wayOut, () -> "out")).run();
          }
        });
    WaitGraph graph = dumpOf(3);
    assertThat(graph.cycles()).hasSize(1);
    assertThat(graph.deadlocked()).isEmpty();
    assertThat(graph.toText()).startsWith("Cycle: 2 tasks wait for each other").doesNotContain("more task");
    wayOut.set();
  }

  // ---- help ----

  private static void lockBoth(Lock first, CyclicBarrier both, Lock second) throws Exception {
    first.lockInterruptibly();
    try {
      both.await();
      second.lockInterruptibly();
      second.unlock();
    } finally {
      first.unlock();
    }
  }

  private static String meet(CyclicBarrier both, dev.baton.sync.Body<String, Exception> then) throws Exception {
    both.await();
    return then.run();
  }

  private Thread start(boolean virtual, String name, VoidBody<Exception> body) {
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    Thread thread =
        builder
            .name(name)
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (Exception interrupted) {
                    // The test is over.
                  }
                });
    threads.add(thread);
    return thread;
  }

  /** The graph once so many wait. */
  private static WaitGraph dumpOf(int waits) throws Exception {
    eventually(() -> Baton.dump().waits().size() == waits, () -> waits + " waits, not " + Baton.dump());
    return Baton.dump();
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void eventually(Check check, Supplier<String> what) throws Exception {
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (!check.holds()) {
      assertThat(System.nanoTime() - end).as(what).isNegative();
      LockSupport.parkNanos(200_000);
    }
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(Node::name).toList();
  }

  private static List<Hold> holds(WaitGraph graph) {
    return graph.holds();
  }

  private static List<String> holdersOf(WaitGraph graph, String task) {
    return graph.waits().stream()
        .filter(wait -> wait.task().name().equals(task))
        .flatMap(wait -> graph.holdersOf(wait.resource()).stream())
        .map(hold -> hold.task().name())
        .toList();
  }
}
