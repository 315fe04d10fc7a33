// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static dev.baton.world.RealTime.eventually;
import static dev.baton.world.RealTime.pass;
import static dev.baton.world.RealTime.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.channel.Subscription;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.pattern.Pool;
import dev.baton.scope.Scope;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import dev.baton.sync.WriteGuard;
import dev.baton.world.Hurry;
import dev.baton.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What observers are told of named things. */
@Timeout(60)
@Isolated // observers are for the whole JVM
class ObserverTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final Log log = new Log();
  private Observer.Registration registration = () -> {};

  /** Everything, as words, but for what other tests have left behind. */
  private static final class Log implements Observer {
    private final Set<Named> left = Set.copyOf(Baton.named());
    private final Set<Named> mine = ConcurrentHashMap.newKeySet();
    final List<String> words = new CopyOnWriteArrayList<>();
    final List<Duration> waits = new CopyOnWriteArrayList<>();
    final List<Duration> holds = new CopyOnWriteArrayList<>();

    @Override
    public void appeared(Named thing) {
      if (!left.contains(thing) && thing.usage().isPresent()) {
        mine.add(thing);
        words.add("+" + thing);
      }
    }

    @Override
    public void vanished(Named thing) {
      if (mine.remove(thing)) {
        words.add("-" + thing);
      }
    }

    @Override
    public void waited(Named thing, Duration time, boolean granted) {
      words.add("waited for " + thing + (granted ? "" : " in vain"));
      waits.add(time);
    }

    @Override
    public void held(Named thing, Duration time) {
      words.add("held " + thing);
      holds.add(time);
    }
  }

  @BeforeEach
  void observe() {
    registration = Baton.observe(log);
  }

  @AfterEach
  void noMore() {
    registration.close();
  }

  /** Whether the time of its wait is being taken: that begins after its place in the line is seen. */
  private static boolean sleeps(Thread waiter) {
    return waiter.getState() == Thread.State.WAITING;
  }

  // ---- coming and going ----

  @Test
  void whoIsThereAndWhoComesLaterAppearsOnce() {
    Log second = new Log();
    Semaphore before = Semaphore.of(1).named("before");
    try (Observer.Registration both = Baton.observe(second)) {
      Mutex after = new Mutex().named("after");
      after.named("after");
      assertThat(second.words).containsExactly("+semaphore \"before\"", "+mutex \"after\"");
      assertThat(log.words).containsExactly("+semaphore \"before\"", "+mutex \"after\"");
      assertThat(List.of(before, both)).hasSize(2);
    }
    Mutex unseen = new Mutex().named("unseen");
    assertThat(second.words).hasSize(2);
    assertThat(unseen.isLocked()).isFalse();
  }

  @Test
  void aScopeVanishesWhenItIsClosed() {
    try (Scope scope = Scope.open().named("work")) {
      assertThat(log.words).containsExactly("+scope \"work\"");
      assertThat(scope).isNotNull();
    }
    assertThat(log.words).containsExactly("+scope \"work\"", "held scope \"work\"", "-scope \"work\"");
  }

  @Test
  void whatIsCollectedVanishesWhenSomebodyLooks() {
    Semaphore.of(1).named("lost");
    // The collector tells later than it takes it off the list.
    Gc.until(() -> Baton.named().stream().noneMatch(thing -> thing.name().equals("lost")) && log.words.size() > 1, "it is gone");
    assertThat(log.words).containsExactly("+semaphore \"lost\"", "-semaphore \"lost\"");
  }

  // ---- waiting ----

  @Test
  void aWaitIsToldOfWhenItEnds() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.acquire();
    Thread waiter = start(semaphore::acquire);
    eventually(() -> sleeps(waiter));
    assertThat(log.words).containsExactly("+semaphore \"gate\"");
    pass(SHORT);
    semaphore.release();
    waiter.join();
    assertThat(log.words).containsExactly("+semaphore \"gate\"", "waited for semaphore \"gate\"");
    assertThat(log.waits.getFirst()).isBetween(SHORT, World.PATIENCE);
  }

  @Test
  void aWaitThatIsGivenUpWasInVain() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.acquire();
    assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isFalse();
    Thread waiter = start(semaphore::acquire);
    eventually(() -> semaphore.waiting() == 1);
    waiter.interrupt();
    waiter.join();
    Thread closed = start(semaphore::acquire);
    eventually(() -> semaphore.waiting() == 1);
    semaphore.close();
    closed.join();
    assertThat(log.words.stream().skip(1)).hasSize(3).allMatch("waited for semaphore \"gate\" in vain"::equals);
  }

  @Test
  void whoNeedNotWaitIsNotToldOf() throws Exception {
    Semaphore semaphore = Semaphore.of(2).named("gate");
    semaphore.acquire();
    assertThat(semaphore.tryAcquire()).isTrue();
    assertThat(semaphore.tryAcquire()).isFalse();
    semaphore.release(2);
    assertThat(log.words).containsExactly("+semaphore \"gate\"");
  }

  @Test
  void aFutureWaitsToo() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.acquire();
    CompletableFuture<Permit> granted = semaphore.acquireAsync();
    CompletableFuture<Permit> cancelled = semaphore.acquireAsync();
    CompletableFuture<Permit> late = semaphore.acquireAsync(Duration.ofMillis(1));
    cancelled.cancel(true);
    eventually(late::isDone);
    semaphore.release();
    granted.get(World.PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
    assertThat(log.words)
        .containsExactly(
            "+semaphore \"gate\"",
            "waited for semaphore \"gate\" in vain",
            "waited for semaphore \"gate\" in vain",
            "waited for semaphore \"gate\"",
            "held semaphore \"gate\"");
  }

  @Test
  void locksChannelsPoolsAndScopesAreWaitedForToo() throws Exception {
    Mutex mutex = new Mutex().named("m");
    RwLock rw = new RwLock().named("r");
    Channel<String> channel = Channel.<String>rendezvous().named("c");
    mutex.lock();
    rw.writeLock().lock();
    try (Pool<String> pool = Pool.of(1, () -> "thing").named("p")) {
      Borrowed<String> borrowed = pool.acquire();
      List<Thread> waiters =
          List.of(
              start(mutex::lockInterruptibly),
              start(() -> rw.readLock().lockInterruptibly()),
              start(channel::receive),
              start(() -> pool.acquire().close()));
      eventually(() -> mutex.waiting() + rw.waiting() + channel.waitingReceivers() + pool.waiting() == 4);
      mutex.unlock();
      rw.writeLock().unlock();
      channel.send("value");
      borrowed.close();
      for (Thread waiter : waiters) {
        waiter.join();
      }
    }
    try (Scope scope = Scope.open().named("s")) {
      scope.fork(
          () -> {
            pass(SHORT);
            return null;
          });
      scope.join();
    }
    assertThat(log.words.stream().filter(word -> word.startsWith("waited")))
        .containsExactlyInAnyOrder(
            "waited for mutex \"m\"",
            "waited for rwlock \"r\"",
            "waited for channel \"c\"",
            "waited for pool \"p\"",
            "waited for scope \"s\"");
  }

  @Test
  void whoWaitsAtASubscriptionWaitsForItsBroadcast() throws Exception {
    Broadcast<String> broadcast = Broadcast.<String>buffered(1).named("b");
    try (Subscription<String> subscription = broadcast.subscribe()) {
      Thread receiver = start(subscription::receive);
      eventually(() -> broadcast.waitingReceivers() == 1);
      broadcast.send("value");
      receiver.join();
      broadcast.send("stored");
      Thread sender = start(() -> broadcast.send("no room"));
      eventually(() -> broadcast.waitingSenders() == 1);
      sender.interrupt();
      sender.join();
    }
    assertThat(log.words).containsExactly("+broadcast \"b\"", "waited for broadcast \"b\"", "waited for broadcast \"b\" in vain");
  }

  @Test
  void batchesAreWaitedForToo() throws Exception {
    BatchQueue<String> queue = new BatchQueue<String>().named("q");
    Thread getter = start(() -> queue.getMany(2));
    eventually(() -> queue.waiting() == 1);
    CompletableFuture<String> future = queue.getAsync();
    queue.putAll(List.of("one", "two"));
    getter.join();
    queue.close();
    eventually(future::isDone);
    assertThat(log.words).containsExactly("+batchqueue \"q\"", "waited for batchqueue \"q\"", "waited for batchqueue \"q\" in vain");
  }

  @Test
  void aSelectHasWaitedForTheOneThatServedIt() throws Exception {
    Channel<String> idle = Channel.<String>rendezvous().named("idle");
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.acquire();
    Thread waiter = start(Select.of(Select.receive(idle, value -> ""), Select.permit(semaphore, permit -> ""))::run);
    eventually(() -> sleeps(waiter));
    assertThat(semaphore.waiting() + idle.waitingReceivers()).isEqualTo(2);
    pass(SHORT);
    semaphore.release();
    waiter.join();
    assertThat(log.words.stream().skip(2)).containsExactly("waited for semaphore \"gate\"");
    assertThat(log.waits.getFirst()).isBetween(SHORT, World.PATIENCE);
  }

  @Test
  void aSelectThatGotNothingHasWaitedForAllInVain() throws Exception {
    Channel<String> channel = Channel.<String>rendezvous().named("c");
    Mutex mutex = new Mutex().named("m");
    mutex.lock();
    Select<String> both = Select.of(Select.receive(channel, value -> ""), Select.send(channel, "", () -> ""), Select.lock(mutex, guard -> ""));
    Thread interrupted = start(both::run);
    eventually(() -> mutex.waiting() == 1);
    interrupted.interrupt();
    interrupted.join();
    Thread late = start(Select.of(Select.receive(channel, value -> ""), Select.after(Duration.ofMillis(1), () -> ""))::run);
    late.join();
    assertThat(log.words.stream().skip(2))
        .containsExactly("waited for channel \"c\" in vain", "waited for mutex \"m\" in vain", "waited for channel \"c\" in vain");
  }

  @Test
  void aSelectThatSomethingWithoutANameServedIsNotToldOf() throws Exception {
    Channel<String> named = Channel.<String>rendezvous().named("c");
    Channel<String> nameless = Channel.rendezvous();
    Thread waiter = start(Select.of(Select.receive(named, value -> ""), Select.receive(nameless, value -> ""))::run);
    nameless.send("value");
    waiter.join();
    assertThat(log.words).containsExactly("+channel \"c\"");
  }

  // ---- holding ----

  @Test
  void aPermitIsHeldFromWhenItWasTakenUntilItIsClosed() throws Exception {
    Semaphore semaphore = Semaphore.of(2).named("gate");
    try (Permit permit = semaphore.hold()) {
      assertThat(log.words).containsExactly("+semaphore \"gate\"");
      pass(SHORT);
      assertThat(permit.count()).isEqualTo(1);
    }
    semaphore.withPermit(() -> {});
    semaphore.tryHold().orElseThrow().close();
    semaphore.hold(2).forget();
    assertThat(log.words.stream().skip(1)).hasSize(4).allMatch("held semaphore \"gate\""::equals);
    assertThat(log.holds.getFirst()).isBetween(SHORT, World.PATIENCE);
  }

  @Test
  void theTimeOfTheWaitIsNotPartOfTheHold() throws Exception {
    Hurry.inTime(
        Duration.ofMillis(100),
        hurry -> {
          log.waits.clear();
          log.holds.clear();
          Semaphore semaphore = Semaphore.of(1).named("gate");
          semaphore.acquire();
          Thread waiter = start(() -> semaphore.hold().close());
          eventually(() -> semaphore.waiting() == 1);
          pass(hurry.time());
          semaphore.release();
          waiter.join();
          hurry.done(hurry.time());
          assertThat(log.waits).hasSize(1);
          assertThat(log.holds).hasSize(1);
          assertThat(log.holds.getFirst()).isLessThan(log.waits.getFirst());
        });
  }

  @Test
  void aPartThatIsSplitOffIsHeldSinceTheWholeWas() throws Exception {
    Semaphore semaphore = Semaphore.of(3).named("gate");
    Permit whole = semaphore.hold(3);
    pass(SHORT);
    Permit part = whole.split(1);
    part.close();
    whole.close();
    whole.close();
    assertThat(log.holds).hasSize(2).allMatch(time -> time.compareTo(SHORT) > 0);
    assertThat(semaphore.available()).isEqualTo(3);
  }

  @Test
  void locksAreHeldInAllTheirWays() throws Exception {
    Mutex mutex = new Mutex().named("m");
    RwLock rw = new RwLock().named("r");
    mutex.lock();
    mutex.unlock();
    try (Guard guard = mutex.guard()) {
      assertThat(guard).isNotNull();
    }
    mutex.withLock(() -> {});
    rw.writeLock().lock();
    rw.writeLock().unlock();
    try (WriteGuard guard = rw.writeLock().guard()) {
      guard.downgrade().close();
    }
    assertThat(log.words.stream().skip(2))
        .containsExactly(
            "held mutex \"m\"",
            "held mutex \"m\"",
            "held mutex \"m\"",
            "held rwlock \"r\"", // written
            "held rwlock \"r\"", // written
            "held rwlock \"r\""); // and then read
  }

  @Test
  void readsAreHeldWhereTheirEndIsKnown() throws Exception {
    RwLock rw = new RwLock().named("r");
    try (Guard guard = rw.readLock().guard()) {
      pass(SHORT);
      assertThat(guard).isNotNull();
    }
    rw.readLock().withLock(() -> pass(SHORT));
    rw.readLock().tryGuard().orElseThrow().close();
    rw.readLock().lockAsync().get(World.PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
    rw.readLock().lock();
    rw.readLock().unlock();
    assertThat(log.words.stream().skip(1)).hasSize(4).allMatch("held rwlock \"r\""::equals);
    assertThat(log.holds.subList(0, 2)).allMatch(time -> time.compareTo(SHORT) >= 0);
  }

  @Test
  void aReadThatTwoThreadsCloseIsHeldOnce() throws Exception {
    RwLock rw = new RwLock().named("r");
    Guard guard = rw.readLock().guard();
    Thread other = start(guard::close);
    guard.close();
    other.join();
    assertThat(log.words.stream().skip(1)).containsExactly("held rwlock \"r\"");
  }

  @Test
  void aLockThatWasGrantedToAFutureIsHeldUntilItsGuardIsClosed() throws Exception {
    Mutex mutex = new Mutex().named("m");
    mutex.lock();
    CompletableFuture<Guard> future = mutex.lockAsync();
    mutex.unlock();
    Guard guard = future.get(World.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    pass(SHORT);
    guard.close();
    assertThat(log.words.stream().filter("held mutex \"m\""::equals)).hasSize(2);
    assertThat(log.holds.getLast()).isGreaterThanOrEqualTo(SHORT);
    mutex.lock();
    mutex.unlock();
    assertThat(log.words.stream().filter("held mutex \"m\""::equals)).hasSize(3);
  }

  @Test
  void aResourceIsHeldHoweverItGoes() throws Exception {
    try (Pool<String> pool = Pool.of(1, () -> "thing").named("p")) {
      pool.acquire().close();
      pool.acquire().evict();
      pool.acquire().hijack();
      pool.acquireAsync().get(World.PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
      assertThat(log.words.stream().skip(1)).hasSize(4).allMatch("held pool \"p\""::equals);
    }
  }

  @Test
  void aTaskIsHeldWhileItRuns() {
    try (BoundedExecutor executor = BoundedExecutor.limit(1).build().named("e")) {
      executor.execute(() -> pass(SHORT));
    }
    assertThat(log.words.stream().filter(word -> !word.startsWith("waited"))).containsExactly("+executor \"e\"", "held executor \"e\"");
    assertThat(log.holds.getFirst()).isGreaterThan(SHORT);
  }

  @Test
  void whatHasNoNameIsNotToldOf() throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    Mutex mutex = new Mutex();
    semaphore.hold().close();
    mutex.lock();
    mutex.unlock();
    assertThat(semaphore.tryAcquire()).isTrue();
    assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isFalse();
    assertThat(log.words).isEmpty();
  }

  @Test
  void afterTheEndNothingIsTold() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    registration.close();
    registration.close();
    semaphore.hold().close();
    assertThat(log.words).containsExactly("+semaphore \"gate\"");
  }

  @Test
  void oneObserverMayObserveTwice() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    try (Observer.Registration again = Baton.observe(log)) {
      assertThat(again).isNotNull();
      semaphore.hold().close();
    }
    semaphore.hold().close();
    assertThat(log.words.stream().filter("held semaphore \"gate\""::equals)).hasSize(3);
  }

  // ---- observers that fail ----

  @Test
  void anObserverThatThrowsSkipsNobodyAndLosesNothing() throws Exception {
    registration.close();
    List<Throwable> uncaught = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    Observer broken =
        new Observer() {
          @Override
          public void waited(Named thing, Duration time, boolean granted) {
            calls.incrementAndGet();
            throw new IllegalStateException("broken");
          }

          @Override
          public void held(Named thing, Duration time) {
            calls.incrementAndGet();
            throw new IllegalStateException("broken");
          }
        };
    Semaphore semaphore = Semaphore.of(1).named("gate");
    try (Observer.Registration one = Baton.observe(broken);
        Observer.Registration two = Baton.observe(log)) {
      assertThat(List.of(one, two)).hasSize(2);
      semaphore.acquire();
      Thread waiter =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, error) -> uncaught.add(error))
              .start(
                  () -> {
                    try {
                      semaphore.hold().close();
                    } catch (InterruptedException impossible) {
                      throw new AssertionError(impossible);
                    }
                  });
      eventually(() -> semaphore.waiting() == 1);
      semaphore.release();
      waiter.join();
    }
    assertThat(calls).hasValue(2);
    assertThat(uncaught).hasSize(2).allMatch(error -> "broken".equals(error.getMessage()));
    assertThat(log.words).contains("waited for semaphore \"gate\"", "held semaphore \"gate\"");
    assertThat(semaphore.available()).isEqualTo(1);
  }

  // ---- together with tracking ----

  @Test
  void withoutTrackingADumpSaysWhichNamesAreWaitedFor() {
    Semaphore gate = Semaphore.unbounded(0).named("gate");
    Semaphore open = Semaphore.of(1).named("open");
    CompletableFuture<Permit> one = gate.acquireAsync();
    CompletableFuture<Permit> two = gate.acquireAsync();
    assertThat(Baton.dump().note()).startsWith("Tracking is off").endsWith("\nOf what has a name: 2 waits for semaphore \"gate\".");
    one.cancel(true);
    two.cancel(true);
    assertThat(Baton.dump().note()).doesNotContain("Of what has a name");
    assertThat(open.available()).isEqualTo(1);
  }

  @Test
  void aDumpCallsThingsByTheirNames() throws Exception {
    Baton.track(Tracking.ON);
    try {
      Mutex mutex = new Mutex().named("accounts");
      mutex.lock();
      Thread waiter = start(mutex::lockInterruptibly);
      eventually(() -> Baton.dump().waits().size() == 1);
      WaitGraph graph = Baton.dump();
      waiter.interrupt();
      waiter.join();
      assertThat(graph.waits().getFirst().resource().name()).matches("Mutex \\d+ \"accounts\"");
      assertThat(graph.toText()).containsPattern("waits for Mutex \\d+ \"accounts\"");
      assertThat(graph.holds()).hasSize(1).allMatch(hold -> hold.task().isKnown());
    } finally {
      Baton.track(Tracking.OFF);
    }
    assertThat(log.words).contains("waited for mutex \"accounts\" in vain");
  }

  @Test
  void aDumpCallsSubscriptionsByTheNameOfTheirBroadcast() throws Exception {
    Baton.track(Tracking.ON);
    try {
      Broadcast<String> broadcast = Broadcast.<String>buffered(1).named("news");
      Subscription<String> subscription = broadcast.subscribe();
      Thread receiver = start(subscription::receive);
      eventually(() -> Baton.dump().waits().size() == 1);
      WaitGraph graph = Baton.dump();
      receiver.interrupt();
      receiver.join();
      assertThat(graph.toText()).containsPattern("waits for Subscription \\d+ \"news\"");
    } finally {
      Baton.track(Tracking.OFF);
    }
  }
}
