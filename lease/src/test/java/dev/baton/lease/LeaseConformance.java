// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Time;
import dev.baton.sync.ClosedException;
import dev.baton.sync.Event;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Hurry;
import dev.baton.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is promised for leases on every store. */
public abstract class LeaseConformance {
  protected static final Duration LONG = Duration.ofHours(1);
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Where the tasks of a test run. Always the same in one test. */
  protected abstract World world();

  /** The leases to test, fresh in each test and closed after it. */
  protected abstract Leases leases();

  /** A time to live that a test can wait for. */
  protected Duration shortly() {
    return Duration.ofMillis(200);
  }

  /** How often to repeat what only sometimes happens. */
  protected int repetitions() {
    return 2_000;
  }

  /** About as long as it takes to be granted what another releases, and not much longer. */
  protected int raceNanos() {
    return 30_000;
  }

  /** How many may wait at once. */
  protected int crowd() {
    return 500;
  }

  // ---- helpers ----

  protected final String newName() {
    return "name-" + NAMES.incrementAndGet();
  }

  protected final LeaseSemaphore semaphore(int limit) {
    return leases().semaphore(newName(), limit);
  }

  /** Runs {@code body} in a task to its end. */
  protected final <T> T in(Callable<T> body) {
    return world().call("in", body).result();
  }

  protected final Lease hold(LeaseSemaphore semaphore) {
    return in(semaphore::acquire);
  }

  protected final Lease hold(LeaseSemaphore semaphore, int permits) {
    return in(() -> semaphore.acquire(permits));
  }

  /** What a task gets that does not wait. */
  protected final Optional<Lease> tried(LeaseSemaphore semaphore) {
    return in(() -> semaphore.tryAcquire());
  }

  /** A task that stands in line for so many permits. */
  protected final Actor<Lease> waiter(LeaseSemaphore semaphore, int permits) {
    int before = waiting(semaphore);
    Actor<Lease> actor = world().call("waiter", () -> semaphore.acquire(permits));
    Eventually.holds(world(), () -> waiting(semaphore) == before + 1);
    return actor;
  }

  protected final int waiting(LeaseSemaphore semaphore) {
    return semaphore.stats().waiting();
  }

  protected final void eventually(BooleanSupplier condition) {
    Eventually.holds(world(), condition);
  }

  /** Nothing is held, nobody waits, and everything can be had. */
  protected final void assertWhole(LeaseSemaphore semaphore) {
    LeaseStats stats = semaphore.stats();
    assertThat(stats.acquired()).isZero();
    assertThat(stats.holders()).isZero();
    assertThat(stats.waiting()).isZero();
    assertThat(stats.granted()).isEqualTo(stats.released() + stats.expired() + stats.revoked());
    in(() -> {
      Lease all = semaphore.tryAcquire(stats.limit()).orElseThrow();
      all.close();
      return null;
    });
  }

  // ---- asking ----

  @Test
  void lease01_aFreePermitIsGrantedAtOnce() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    assertThat(lease.id()).isNotEmpty();
    assertThat(lease.name()).isEqualTo(semaphore.name());
    assertThat(lease.fencingToken()).isPositive();
    assertThat(lease.slotNumber()).isEqualTo(1);
    assertThat(lease.permits()).isEqualTo(1);
    assertThat(lease.isValid()).isTrue();
    assertThat(lease.remaining()).isEqualTo(Lease.FOREVER);
    assertThat(lease.lost()).isEmpty();
    assertThat(semaphore.stats().waiting()).isZero();
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(lease.isValid()).isFalse();
    assertWhole(semaphore);
  }

  @Test
  void lease02_manyTasksReachTheLimitAndNeverExceedIt() {
    LeaseSemaphore semaphore = semaphore(10);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    int tasks = Math.min(1_000, 2 * crowd());
    world().takeTurns();
    List<Actor<Object>> all =
        IntStream.range(0, tasks)
            .mapToObj(
                i ->
                    world()
                        .<Object>launch(
                            "task " + i,
                            () -> {
                              try (Lease lease = semaphore.acquire()) {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                assertThat(lease.slotNumber()).isBetween(1, 10);
                                letOthersIn(most);
                                inside.decrementAndGet();
                              }
                              return "done";
                            }))
            .toList();
    all.forEach(Actor::result);
    assertThat(most.get()).isEqualTo(10);
    assertThat(semaphore.stats().granted()).isEqualTo(tasks);
    assertWhole(semaphore);
  }

  /** Lets others come in until the limit was reached once, for a while at most: an unlucky scheduler is not what is tested. */
  private static void letOthersIn(AtomicInteger most) {
    for (int i = 0; i < 2_000 && most.get() < 10; i++) {
      LockSupport.parkNanos(50_000);
      Leases.shared().isClosed(); // a switch point
    }
  }

  @Test
  void lease03_twoHandlesOfOneNameShareItsPermits() {
    LeaseSemaphore one = semaphore(1);
    LeaseSemaphore other = leases().semaphore(one.name(), 1);
    Lease lease = hold(one);
    assertThat(other.isFull()).isTrue();
    assertThat(tried(other)).isEmpty();
    Actor<Lease> waiter = waiter(other, 1);
    assertThat(waiter.isDone()).isFalse();
    lease.close();
    waiter.result().close();
    assertThat(other.isFull()).isFalse();
  }

  @Test
  void lease04_namesThatDifferInCaseAreIndependent() {
    String name = newName();
    Lease lower = hold(leases().semaphore(name, 1));
    Lease upper = hold(leases().semaphore(name.toUpperCase(Locale.ROOT), 1));
    assertThat(lower.isValid()).isTrue();
    assertThat(upper.isValid()).isTrue();
  }

  @Test
  void lease05_anyTextIsAName() {
    for (String suffix : List.of("}", "{a}", "a{b}c", "%7B", "{", "line\nbreak", "tab\t", "ü€😀", " ", "a:b", "x".repeat(900))) {
      String name = suffix + newName();
      LeaseSemaphore semaphore = leases().semaphore(name, 1);
      Lease lease = hold(semaphore);
      assertThat(semaphore.isFull()).as(suffix).isTrue();
      assertThat(semaphore.stats().name()).isEqualTo(name);
      assertThat(leases().names()).contains(name);
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(semaphore.isFull()).as(suffix).isFalse();
    }
  }

  @Test
  void lease06_limitsAndPermitsThatCannotBeAreRefusedAtOnce() {
    Leases leases = leases();
    for (int limit : new int[] {0, -1, Integer.MIN_VALUE, LeaseSemaphore.MAX_LIMIT + 1}) {
      assertThatThrownBy(() -> leases.semaphore("x", limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit")
          .hasMessageContaining("" + limit);
    }
    for (String name : List.of("", "x".repeat(10_240), "half \ud800")) {
      assertThatThrownBy(() -> leases.semaphore(name, 1)).isInstanceOf(IllegalArgumentException.class);
    }
    LeaseSemaphore semaphore = semaphore(2);
    for (int permits : new int[] {0, -1, 3}) {
      assertThatThrownBy(() -> semaphore.tryAcquire(permits)).isInstanceOf(IllegalArgumentException.class);
      assertThat(world().call("asks", () -> semaphore.acquire(permits)).failure())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("" + permits);
    }
    assertThat(in(() -> failureOf(semaphore.acquireAsync(3)))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.acquireAsync(0)).isInstanceOf(IllegalArgumentException.class);
    for (Duration time : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
      assertThatThrownBy(() -> semaphore.ttl(time)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> semaphore.idleTtl(time)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> semaphore.window(time)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> semaphore.extend("x", time)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> semaphore.maxWait(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.label("x".repeat(201))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.resize(0)).isInstanceOf(IllegalArgumentException.class);
    assertWhole(semaphore);
  }

  @Test
  void lease06b_whatIsMissingIsNamed() {
    LeaseSemaphore semaphore = semaphore(1);
    assertMissing("name", () -> leases().semaphore(missing(), 1));
    assertMissing("time", () -> semaphore.ttl(missing()));
    assertMissing("time", () -> semaphore.maxWait(missing()));
    assertMissing("time", () -> semaphore.window(missing()));
    assertMissing("time", () -> semaphore.idleTtl(missing()));
    assertMissing("text", () -> semaphore.label(missing()));
    assertMissing("time", () -> semaphore.extend("x", missing()));
    assertMissing("maxWait", () -> semaphore.acquire((Duration) missing()));
    assertMissing("maxWait", () -> semaphore.acquireAsync((Duration) missing()));
    assertMissing("timeout", () -> semaphore.tryAcquire((Duration) missing()));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as one who does not heed what is marked
  private static <T> T missing() {
    return null;
  }

  private static void assertMissing(String name, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
  }

  protected static Throwable failureOf(CompletableFuture<?> future) throws InterruptedException {
    try {
      throw new AssertionError("ended with " + future.get());
    } catch (ExecutionException failed) {
      return Objects.requireNonNull(failed.getCause());
    }
  }

  @Test
  void lease07_aWaitThatTakesTooLongLeavesNothingBehind() {
    LeaseSemaphore semaphore = semaphore(1).maxWait(Duration.ofMillis(100));
    Lease lease = hold(semaphore);
    Actor<Lease> late = world().call("late", semaphore::acquire);
    world().pass(Duration.ofMillis(120));
    assertThat(late.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining(semaphore.name());
    Actor<Throwable> lateFuture = world().call("late future", () -> failureOf(semaphore.acquireAsync()));
    world().pass(Duration.ofMillis(120));
    assertThat(lateFuture.result()).isInstanceOf(TimeoutException.class);
    assertThat(tried(semaphore)).isEmpty();
    Actor<?> empty = world().call("try", () -> semaphore.tryAcquire(Duration.ofMillis(50)));
    world().pass(Duration.ofMillis(70));
    assertThat(empty.result()).isEqualTo(Optional.empty());
    eventually(() -> waiting(semaphore) == 0);
    lease.close();
    assertWhole(semaphore);
  }

  @Test
  void lease08_withoutWaitingWhatIsFreeIsGrantedAllTheSame() {
    LeaseSemaphore semaphore = semaphore(1).maxWait(Duration.ZERO);
    Lease lease = hold(semaphore);
    assertThat(world().call("second", semaphore::acquire).failure()).isInstanceOf(TimeoutException.class);
    lease.close();
    hold(semaphore).close();
    in(() -> semaphore.acquireAsync().get()).close();
    assertWhole(semaphore);
  }

  @Test
  void lease09_grantsComeInTheOrderOfArrival() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    List<Actor<Lease>> waiters = List.of(waiter(semaphore, 1), waiter(semaphore, 1), waiter(semaphore, 1));
    long token = lease.fencingToken();
    lease.close();
    for (Actor<Lease> next : waiters) {
      Lease granted = next.result();
      assertThat(granted.fencingToken()).isGreaterThan(token);
      token = granted.fencingToken();
      granted.close();
    }
    assertWhole(semaphore);
  }

  @Test
  void lease10_aNewcomerDoesNotOvertake() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    Actor<Lease> waiter = waiter(semaphore, 1);
    lease.close();
    assertThat(tried(semaphore)).isEmpty();
    waiter.result().close();
    assertThat(tried(semaphore)).isPresent();
  }

  @Test
  void lease12_oneThatIsInterruptedLeavesTheLineAndTheOthersKeepTheirPlace() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    Actor<Lease> first = waiter(semaphore, 1);
    Actor<Lease> second = waiter(semaphore, 1);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    eventually(() -> waiting(semaphore) == 1);
    assertThat(second.isDone()).isFalse();
    lease.close();
    second.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease13_anInterruptedCallerAsksForNothing() {
    LeaseSemaphore semaphore = semaphore(1);
    Actor<Lease> actor =
        world()
            .call(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  return semaphore.acquire();
                });
    assertThat(actor.failure()).isInstanceOf(InterruptedException.class);
    Actor<Lease> patient =
        world()
            .call(
                "patient",
                () -> {
                  Thread.currentThread().interrupt();
                  return semaphore.acquireUninterruptibly();
                });
    assertThat(patient.result().isValid()).isTrue();
    assertThat(patient.endedInterrupted()).isTrue();
    patient.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease14_aTimeOutThatMeetsAGrantLosesNoPermit() {
    LeaseSemaphore semaphore = semaphore(1);
    int rounds = repetitions();
    AtomicInteger had = new AtomicInteger();
    world().takeTurns();
    List<Actor<Object>> actors = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      int seed = t;
      actors.add(
          world()
              .launch(
                  "racer " + t,
                  () -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < rounds; i++) {
                      semaphore
                          .tryAcquire(Duration.ofNanos(random.nextInt(raceNanos())))
                          .ifPresent(
                              lease -> {
                                had.incrementAndGet();
                                lease.close();
                              });
                    }
                    return null;
                  }));
    }
    for (int i = 0; i < rounds && !actors.stream().allMatch(Actor::isDone); i++) {
      world().pass(Duration.ofNanos(10_000));
    }
    actors.forEach(Actor::result);
    eventually(() -> semaphore.stats().holders() == 0 && waiting(semaphore) == 0);
    assertThat(had.get()).isPositive();
    assertThat(semaphore.stats().granted()).isGreaterThanOrEqualTo(had.get());
    assertWhole(semaphore);
  }

  // ---- giving back ----

  @Test
  void lease15_releasedTwiceCountsOnce() {
    LeaseSemaphore semaphore = semaphore(2);
    Lease lease = hold(semaphore);
    Lease other = hold(semaphore);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(lease.release()).isEqualTo(ReleaseResult.UNKNOWN);
    assertThat(semaphore.release(lease.id())).isEqualTo(ReleaseResult.UNKNOWN);
    lease.close();
    assertThat(semaphore.stats().acquired()).isEqualTo(1);
    assertThat(semaphore.stats().released()).isEqualTo(1);
    assertThat(semaphore.release(other.id())).isEqualTo(ReleaseResult.RELEASED);
    eventually(() -> !other.isValid());
    other.close();
    assertThat(semaphore.stats().released()).isEqualTo(2);
    assertWhole(semaphore);
  }

  @Test
  void lease16_anUnknownIdChangesNothing() {
    LeaseSemaphore semaphore = semaphore(1);
    assertThat(semaphore.release("nobody")).isEqualTo(ReleaseResult.UNKNOWN);
    Lease lease = hold(semaphore);
    for (String id : List.of("", "nobody", lease.id() + "x", "\n{}%", "y".repeat(10_000))) {
      assertThat(semaphore.release(id)).isEqualTo(ReleaseResult.UNKNOWN);
      assertThat(semaphore.revoke(id)).isFalse();
      assertThat(semaphore.extend(id, LONG)).isFalse();
    }
    assertThat(lease.isValid()).isTrue();
    assertThat(semaphore.stats().acquired()).isEqualTo(1);
  }

  @Test
  void lease17_anIdBelongsToItsName() {
    LeaseSemaphore a = semaphore(1);
    LeaseSemaphore b = semaphore(1);
    Lease ofA = hold(a);
    Lease ofB = hold(b);
    assertThat(b.release(ofA.id())).isEqualTo(ReleaseResult.UNKNOWN);
    assertThat(ofA.isValid()).isTrue();
    assertThat(ofB.isValid()).isTrue();
    assertThat(b.stats().acquired()).isEqualTo(1);
  }

  @Test
  void lease18_anyTaskMayReleaseAndFreesThatOneOnly() {
    LeaseSemaphore semaphore = semaphore(2);
    Lease one = hold(semaphore);
    Lease other = hold(semaphore);
    world()
        .start("another task", () -> assertThat(semaphore.release(one.id())).isEqualTo(ReleaseResult.RELEASED))
        .result();
    eventually(() -> !one.isValid());
    assertThat(other.isValid()).isTrue();
    assertThat(semaphore.stats().acquired()).isEqualTo(1);
  }

  // ---- time to live ----

  @Test
  void lease19_aLeaseThatIsHeldTooLongIsLostOnce() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time());
          Lease lease = hold(semaphore);
          List<LossReason> told = new CopyOnWriteArrayList<>();
          lease.onLost(told::add);
          assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(hurry.time());
          Actor<Lease> waiter = waiter(semaphore, 1);
          world().pass(hurry.time().plusMillis(20));
          assertThat(lease.isValid()).isFalse();
          Lease next = waiter.result();
          assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
          eventually(() -> told.size() == 1);
          assertThat(told).containsExactly(LossReason.EXPIRED);
          assertThat(lease.lost()).contains(LossReason.EXPIRED);
          assertThat(lease.remaining()).isZero();
          assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
          assertThat(semaphore.release(lease.id())).isEqualTo(ReleaseResult.EXPIRED);
          lease.close();
          boolean stillValid = next.isValid();
          hurry.done(hurry.time().plusMillis(20));
          assertThat(stillValid).isTrue();
          lease.onLost(told::add);
          eventually(() -> told.size() == 2);
          next.close();
          eventually(() -> semaphore.stats().expired() == 1);
          assertWhole(semaphore);
        });
  }

  @Test
  void lease20_aCallbackThatThrowsKeepsNoOtherFromBeingCalledAndNobodyFromBeingServed() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time());
          Lease lease = hold(semaphore);
          AtomicInteger called = new AtomicInteger();
          lease.onLost(
              why -> {
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> called.incrementAndGet());
                throw new IllegalStateException("of a test");
              });
          lease.onLost(why -> called.incrementAndGet());
          Actor<Lease> waiter = waiter(semaphore, 1);
          world().pass(hurry.time().plusMillis(20));
          boolean served = waiter.result().isValid();
          hurry.done(hurry.time().plusMillis(20));
          assertThat(served).isTrue();
          eventually(() -> called.get() >= 1);
        });
  }

  @Test
  void lease21_theHolderIsInterruptedIfThatWasAskedFor() {
    LeaseSemaphore semaphore = semaphore(1).ttl(shortly()).onExpiry(OnExpiry.INTERRUPT_HOLDER);
    Actor<String> holder =
        world()
            .call(
                "holder",
                () -> {
                  try (Lease lease = semaphore.acquire()) {
                    Time.sleep(LONG);
                    return "slept " + lease;
                  } catch (InterruptedException interrupted) {
                    return "interrupted";
                  }
                });
    eventually(() -> semaphore.stats().acquired() == 1);
    world().pass(shortly().plusMillis(100));
    assertThat(holder.result()).isEqualTo("interrupted");
    assertThat(holder.endedInterrupted()).isFalse();
    eventually(() -> semaphore.stats().holders() == 0);
    assertWhole(semaphore);
  }

  @Test
  void lease22_orElseItGoesOnAndCanAsk() {
    LeaseSemaphore semaphore = semaphore(1).ttl(shortly());
    Duration longer = shortly().plusMillis(100);
    Actor<Boolean> holder =
        world()
            .call(
                "holder",
                () -> {
                  try (Lease lease = semaphore.acquire()) {
                    Time.sleep(longer);
                    return lease.isValid();
                  }
                });
    eventually(() -> semaphore.stats().acquired() == 1);
    world().pass(longer.plusMillis(50));
    assertThat(holder.result()).isFalse();
    assertThat(holder.endedInterrupted()).isFalse();
  }

  @Test
  void lease23_oneReleasedInTimeIsNeverInterrupted() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time()).onExpiry(OnExpiry.INTERRUPT_HOLDER);
          Duration longer = hurry.time().plusMillis(100);
          Actor<String> holder =
              world()
                  .call(
                      "holder",
                      () -> {
                        semaphore.acquire().close();
                        Time.sleep(longer);
                        return "slept well";
                      });
          eventually(() -> semaphore.stats().released() + semaphore.stats().expired() == 1);
          hurry.done();
          assertThat(semaphore.stats().released()).isEqualTo(1);
          world().pass(longer.plusMillis(50));
          assertThat(holder.result()).isEqualTo("slept well");
          assertThat(semaphore.stats().expired()).isZero();
        });
  }

  @Test
  void lease24_anExtendedLeaseOutlivesItsFirstEnd() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time());
          Lease lease = hold(semaphore);
          assertThat(in(() -> lease.extend(hurry.time().multipliedBy(3)))).isTrue();
          world().pass(hurry.time().multipliedBy(2));
          assertThat(lease.isValid()).isTrue();
          assertThat(tried(semaphore)).isEmpty();
          assertThat(in(() -> lease.extend(Duration.ofNanos(1)))).as("never less than what remains").isTrue();
          assertThat(lease.isValid()).isTrue();
          assertThat(in(() -> lease.extend())).isTrue();
          assertThat(in(() -> semaphore.extend(lease.id(), hurry.time()))).isTrue();
          hurry.done(hurry.time().multipliedBy(2));
          world().pass(hurry.time().multipliedBy(2));
          assertThat(lease.isValid()).isFalse();
          assertThat(in(() -> lease.extend(LONG))).isFalse();
          assertThat(in(() -> lease.extend())).isFalse();
          eventually(() -> semaphore.stats().expired() == 1);
          assertWhole(semaphore);
        });
  }

  @Test
  void lease24b_aLeaseThatIsExtendedForEverHasNoEnd() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time());
          Lease lease = hold(semaphore);
          assertThat(in(() -> lease.extend(Lease.FOREVER))).isTrue();
          hurry.done(hurry.time());
          world().pass(hurry.time().multipliedBy(2));
          assertThat(lease.isValid()).isTrue();
          assertThat(lease.remaining()).isEqualTo(Lease.FOREVER);
          assertThat(semaphore.holders()).extracting(LeaseHolder::remaining).containsExactly(Lease.FOREVER);
          assertThat(tried(semaphore)).isEmpty();
          assertThat(in(() -> lease.extend())).as("there is no end to extend").isFalse();
          assertThat(in(lease::release)).isEqualTo(ReleaseResult.RELEASED);
          assertWhole(semaphore);
        });
  }

  @Test
  void lease24c_aLeaseWithoutAnyHurryToRenewItIsHeldAllTheSame() {
    LeaseSemaphore semaphore = semaphore(1).window(Lease.FOREVER).idleTtl(Lease.FOREVER);
    Lease lease = hold(semaphore);
    assertThat(tried(semaphore)).isEmpty();
    Actor<Lease> waiter = waiter(semaphore, 1);
    assertThat(lease.isValid()).isTrue();
    in(lease::release);
    in(waiter.result()::release);
    assertWhole(semaphore);
  }

  // ---- several permits ----

  @Test
  void lease26_severalPermitsAreGrantedTogetherOrNotAtAll() {
    LeaseSemaphore semaphore = semaphore(5);
    Lease three = hold(semaphore, 3);
    assertThat(in(() -> semaphore.tryAcquire(3))).isEmpty();
    Actor<Lease> waiter = waiter(semaphore, 3);
    assertThat(semaphore.stats().acquired()).isEqualTo(3);
    three.close();
    assertThat(waiter.result().permits()).isEqualTo(3);
    assertThat(semaphore.stats().acquired()).isEqualTo(3);
    waiter.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease27_aSmallRequestDoesNotOvertakeALargeOne() {
    LeaseSemaphore semaphore = semaphore(3);
    Lease one = hold(semaphore);
    Lease two = hold(semaphore, 2);
    Actor<Lease> large = waiter(semaphore, 3);
    Actor<Lease> small = waiter(semaphore, 1);
    one.close();
    world().settle();
    assertThat(semaphore.stats().waiting()).isEqualTo(2);
    two.close();
    Lease granted = large.result();
    assertThat(small.isDone()).isFalse();
    granted.close();
    assertThat(small.result().fencingToken()).isGreaterThan(granted.fencingToken());
  }

  @Test
  void lease28_whenALargeRequestLeavesTheNextIsServedAtOnce() {
    LeaseSemaphore semaphore = semaphore(3);
    Lease two = hold(semaphore, 2);
    Actor<Lease> large = waiter(semaphore, 3);
    Actor<Lease> small = waiter(semaphore, 1);
    large.interrupt();
    assertThat(large.failure()).isInstanceOf(InterruptedException.class);
    small.result().close();
    two.close();
    assertWhole(semaphore);
  }

  @Test
  void lease29_allPermitsOfALeaseGoBackInOneStep() {
    LeaseSemaphore semaphore = semaphore(4);
    Lease four = hold(semaphore, 4);
    Actor<Lease> next = waiter(semaphore, 4);
    four.close();
    assertThat(next.result().permits()).isEqualTo(4);
    next.result().close();
    assertWhole(semaphore);
  }

  // ---- limits ----

  @Test
  void lease30_aRaisedLimitServesThoseWhoWaitAtOnce() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease first = hold(semaphore);
    Actor<Lease> waiter = waiter(semaphore, 1);
    semaphore.resize(2);
    assertThat(waiter.result().slotNumber()).isEqualTo(2);
    assertThat(first.isValid()).isTrue();
    assertThat(semaphore.stats().limit()).isEqualTo(2);
    first.close();
    hold(semaphore).close();
    hold(leases().semaphore(semaphore.name(), 2)).close();
  }

  @Test
  void lease31_aLoweredLimitRevokesNobody() {
    LeaseSemaphore semaphore = semaphore(3);
    List<Lease> held = List.of(hold(semaphore), hold(semaphore), hold(semaphore));
    semaphore.resize(1);
    assertThat(held).allMatch(Lease::isValid);
    Actor<Lease> waiter = waiter(semaphore, 1);
    held.get(0).close();
    held.get(1).close();
    world().settle();
    assertThat(semaphore.stats().acquired()).isEqualTo(1);
    assertThat(semaphore.stats().waiting()).isEqualTo(1);
    held.get(2).close();
    waiter.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease31b_requestsThatCanNeverFitAnyMoreAreRefused() {
    LeaseSemaphore semaphore = semaphore(3);
    Lease held = hold(semaphore, 2);
    Actor<Lease> large = waiter(semaphore, 3);
    Actor<Lease> small = waiter(semaphore, 1);
    semaphore.resize(2);
    assertThat(large.failure()).isInstanceOf(IllegalArgumentException.class);
    held.close();
    small.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease32_anotherLimitIsAMismatchUnlessThePolicySaysOtherwise() {
    LeaseSemaphore two = semaphore(2);
    LeaseSemaphore three = leases().semaphore(two.name(), 3);
    Lease lease = hold(two);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(three::tryAcquire)
          .isInstanceOf(LimitMismatchException.class)
          .hasMessageContaining("2")
          .hasMessageContaining("3");
      assertThat(in(() -> failureOf(three.acquireAsync()))).isInstanceOf(LimitMismatchException.class);
      Lease adopted = hold(three.onMismatch(OnMismatch.ADOPT));
      assertThat(two.stats().limit()).isEqualTo(2);
      adopted.close();
      lease.close(); // idle in the second round
    }
    assertThatThrownBy(() -> three.onMismatch(OnMismatch.ADOPT).tryAcquire(3)).isInstanceOf(IllegalArgumentException.class);
    hold(three.onMismatch(OnMismatch.OVERWRITE), 3).close();
    assertThat(two.stats().limit()).isEqualTo(3);
    assertThatThrownBy(two::tryAcquire).isInstanceOf(LimitMismatchException.class);
    hold(three).close();
  }

  @Test
  void lease32b_afterResizesTheLimitOfTheNameAndTheOneDeclaredFirstAreNoMismatch() {
    LeaseSemaphore three = semaphore(3);
    LeaseSemaphore five = leases().semaphore(three.name(), 5);
    LeaseSemaphore seven = leases().semaphore(three.name(), 7);
    hold(three).close();
    three.resize(5);
    hold(three).close();
    hold(five).close();
    five.resize(7);
    hold(three).close();
    hold(seven, 7).close();
    assertThatThrownBy(five::tryAcquire).isInstanceOf(LimitMismatchException.class);
    assertThat(three.stats().limit()).isEqualTo(7);
  }

  @Test
  void lease33_aCallThatIsRefusedChangesNothing() {
    LeaseSemaphore unknown = semaphore(2);
    assertThatThrownBy(() -> unknown.tryAcquire(3)).isInstanceOf(IllegalArgumentException.class);
    assertThat(world().call("asks", () -> unknown.acquire(3)).failure()).isInstanceOf(IllegalArgumentException.class);
    assertThat(leases().names()).doesNotContain(unknown.name());
    assertThat(leases().stats()).doesNotContainKey(unknown.name());

    LeaseSemaphore five = semaphore(5);
    Lease lease = hold(five, 4);
    Actor<Lease> waiter = waiter(five, 4);
    LeaseSemaphore three = leases().semaphore(five.name(), 3);
    assertThatThrownBy(three::tryAcquire).isInstanceOf(LimitMismatchException.class);
    assertThatThrownBy(() -> three.onMismatch(OnMismatch.OVERWRITE).tryAcquire(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
    assertThat(five.stats().limit()).isEqualTo(5);
    assertThat(waiting(five)).isEqualTo(1);
    in(lease::release);
    in(waiter.result()::release);
    assertWhole(five);
  }

  @Test
  void lease35_aBlockThatThrowsReleasesAndTheErrorIsUnchanged() {
    LeaseSemaphore semaphore = semaphore(1);
    IllegalStateException error = new IllegalStateException("of a test");
    Actor<Object> actor =
        world()
            .call(
                "thrower",
                () -> {
                  try (Lease lease = semaphore.acquire()) {
                    assertThat(lease.isValid()).isTrue();
                    throw error;
                  }
                });
    assertThat(actor.failure()).isSameAs(error).hasNoSuppressedExceptions();
    Actor<Object> body = world().call("body", () -> semaphore.withLease(() -> { throw error; }));
    assertThat(body.failure()).isSameAs(error);
    assertThat(in(() -> semaphore.withLease(() -> "value"))).isEqualTo("value");
    assertWhole(semaphore);
  }

  // ---- looking ----

  @Test
  void lease37_statsAgreeWithWhatHappened() {
    LeaseSemaphore semaphore = semaphore(3);
    LeaseSemaphore shortLived = semaphore.ttl(shortly());
    hold(semaphore).close();
    Lease revoked = hold(semaphore);
    semaphore.revoke(revoked.id());
    Lease expired = hold(shortLived);
    world().pass(shortly().plusMillis(20));
    eventually(() -> semaphore.stats().expired() == 1);
    assertThat(expired.isValid()).isFalse();
    Lease two = hold(semaphore, 2);
    Lease one = hold(semaphore);
    assertThat(world().call("in vain", () -> semaphore.acquire(Duration.ZERO)).failure())
        .isInstanceOf(TimeoutException.class);
    Actor<Lease> waiter = waiter(semaphore, 1);
    world().pass(Duration.ofMillis(30));
    LeaseStats stats = semaphore.stats();
    assertThat(stats.acquired()).isEqualTo(3);
    assertThat(stats.limit()).isEqualTo(3);
    assertThat(stats.holders()).isEqualTo(2);
    assertThat(stats.percent()).isEqualTo(100.0);
    assertThat(stats.waiting()).isEqualTo(1);
    assertThat(stats.oldestWait()).isGreaterThanOrEqualTo(Duration.ofMillis(30)).isLessThan(Duration.ofMinutes(1));
    assertThat(stats.granted()).isEqualTo(5);
    assertThat(stats.released()).isEqualTo(1);
    assertThat(stats.revoked()).isEqualTo(1);
    assertThat(stats.expired()).isEqualTo(1);
    assertThat(stats.timedOut()).isEqualTo(1);
    two.close();
    one.close();
    waiter.result().close();
    assertWhole(semaphore);
  }

  @Test
  void lease38_87_statsOfAllOfSomeOrOfTheBusiestNames() {
    LeaseSemaphore shared = leases().semaphore("shared", 3);
    LeaseSemaphore busy = leases().semaphore("busy", 5);
    LeaseSemaphore quiet = leases().semaphore("quiet", 5);
    LeaseSemaphore unused = leases().semaphore("unused", 5);
    List<Lease> held = new ArrayList<>();
    held.add(hold(shared));
    held.add(hold(shared));
    held.add(hold(busy, 4));
    hold(quiet).close();
    assertThat(shared.stats()).hasToString("shared: 2/3 (66.7%)");
    assertThat(leases().stats().keySet()).containsExactly("busy", "shared", "quiet");
    assertThat(leases().stats(2).keySet()).containsExactly("busy", "shared");
    assertThat(leases().stats(0)).isEmpty();
    assertThat(leases().stats(List.of("quiet", "shared", "unused", "shared")).keySet()).containsExactly("shared", "quiet");
    assertThat(unused.stats()).hasToString("unused: 0/5 (0.0%)");
    assertThatThrownBy(() -> leases().stats(-1)).isInstanceOf(IllegalArgumentException.class);
    held.forEach(Lease::close);
  }

  @Test
  void lease39_holdersAndWaitersAreListed() {
    LeaseSemaphore semaphore = semaphore(3).label("reporter").ttl(LONG);
    Lease two = hold(semaphore, 2);
    Lease one = hold(semaphore.label("other"));
    Actor<Lease> first = waiter(semaphore, 2);
    Actor<Lease> second = waiter(semaphore, 1);
    List<LeaseHolder> holders = semaphore.holders();
    assertThat(holders).extracting(LeaseHolder::id).containsExactly(two.id(), one.id());
    assertThat(holders).extracting(LeaseHolder::label).containsExactly("reporter", "other");
    assertThat(holders.get(0).slots()).containsExactly(1, 2);
    assertThat(holders.get(0).permits()).isEqualTo(2);
    assertThat(holders.get(0).owner()).isNotEmpty();
    assertThat(holders.get(0).fencingToken()).isEqualTo(two.fencingToken());
    assertThat(holders.get(0).age()).isGreaterThanOrEqualTo(Duration.ZERO).isLessThan(LONG);
    assertThat(holders.get(0).remaining()).isPositive().isLessThanOrEqualTo(LONG);
    List<LeaseWaiter> waiters = semaphore.waiters();
    assertThat(waiters).extracting(LeaseWaiter::place).containsExactly(1, 2);
    assertThat(waiters).extracting(LeaseWaiter::permits).containsExactly(2, 1);
    assertThat(waiters).extracting(LeaseWaiter::label).containsOnly("reporter");
    assertThat(waiters.get(0).age()).isGreaterThanOrEqualTo(waiters.get(1).age());
    two.close();
    assertThat(first.result().id()).isEqualTo(waiters.get(0).id());
    one.close();
    assertThat(second.result().id()).isEqualTo(waiters.get(1).id());
  }

  @Test
  void lease40_aRevokedLeaseIsLostAndTheNextIsServed() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    List<LossReason> told = new CopyOnWriteArrayList<>();
    lease.onLost(told::add);
    Actor<Lease> waiter = waiter(semaphore, 1);
    assertThat(semaphore.revoke(lease.id())).isTrue();
    assertThat(semaphore.revoke(lease.id())).isFalse();
    Lease next = waiter.result();
    eventually(() -> told.size() == 1);
    assertThat(told).containsExactly(LossReason.REVOKED);
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.lost()).contains(LossReason.REVOKED);
    assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(next.isValid()).isTrue();
    next.close();
    assertWhole(semaphore);
  }

  // ---- futures ----

  @Test
  void lease42_aFutureThatIsCancelledHoldsNothing() {
    LeaseSemaphore semaphore = semaphore(1);
    CompletableFuture<Lease> granted = in(() -> {
      CompletableFuture<Lease> future = semaphore.acquireAsync();
      future.get();
      return future;
    });
    CompletableFuture<Lease> waits = in(() -> semaphore.acquireAsync());
    CompletableFuture<Lease> waitsToo = in(() -> semaphore.acquireAsync());
    eventually(() -> waiting(semaphore) == 2);
    assertThat(waits.cancel(true)).isTrue();
    eventually(() -> waiting(semaphore) == 1);
    granted.join().close();
    in(() -> waitsToo.get()).close();
    assertThat(waitsToo.cancel(true)).isFalse();
    assertWhole(semaphore);
  }

  @Test
  void lease42b_cancellationsThatMeetGrantsLoseNoPermit() {
    LeaseSemaphore semaphore = semaphore(1);
    int rounds = repetitions() / 4;
    world().takeTurns();
    List<Actor<Object>> actors =
        IntStream.range(0, 3)
            .mapToObj(
                t ->
                    world()
                        .<Object>launch(
                            "racer " + t,
                            () -> {
                              for (int i = 0; i < rounds; i++) {
                                CompletableFuture<Lease> future = semaphore.acquireAsync();
                                if (i % 3 == t) {
                                  future.get().close();
                                } else if (!future.cancel(true)) {
                                  future.join().close();
                                }
                              }
                              return null;
                            }))
            .toList();
    actors.forEach(Actor::result);
    eventually(() -> semaphore.stats().holders() == 0 && waiting(semaphore) == 0);
    assertWhole(semaphore);
  }

  @Test
  void lease43_aCrowdIsServedOneByOne() {
    LeaseSemaphore semaphore = semaphore(1);
    Lease lease = hold(semaphore);
    int crowd = crowd();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Actor<Object>> actors = new ArrayList<>();
    for (int i = 0; i < crowd; i++) {
      int number = i;
      actors.add(
          world()
              .launch(
                  "one of many " + i,
                  () -> {
                    try (Lease mine = semaphore.acquire()) {
                      order.add(number);
                      assertThat(mine.slotNumber()).isEqualTo(1);
                    }
                    return null;
                  }));
    }
    eventually(() -> waiting(semaphore) == crowd);
    assertThat(order).isEmpty();
    lease.close();
    actors.forEach(Actor::result);
    assertThat(order).hasSize(crowd);
    assertThat(semaphore.stats().granted()).isEqualTo(crowd + 1L);
    assertWhole(semaphore);
  }

  @Test
  void lease44_closingEndsAllWaitsAndReleasesAllLeases() {
    LeaseSemaphore semaphore = semaphore(1).ttl(LONG);
    Lease lease = hold(semaphore);
    Actor<Lease> waiter = waiter(semaphore, 1);
    CompletableFuture<Lease> future = in(() -> semaphore.acquireAsync());
    Leases leases = leases();
    leases.close();
    assertThat(waiter.failure()).isInstanceOf(ClosedException.class);
    assertThat(in(() -> failureOf(future))).isInstanceOf(ClosedException.class);
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.lost()).isEmpty();
    lease.close();
    assertThat(leases.isClosed()).isTrue();
    assertThat(leases).hasToString(leases.toString()).asString().contains("closed");
    assertThat(world().call("late", semaphore::acquire).failure()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(semaphore::tryAcquire).isInstanceOf(ClosedException.class);
    assertThat(in(() -> failureOf(semaphore.acquireAsync()))).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> leases.semaphore(newName(), 1).tryAcquire()).isInstanceOf(ClosedException.class);
    assertThat(leases.names()).isEmpty();
    leases.close();
  }

  @Test
  void lease44b_closedLeasesKnowNoIds() {
    LeaseSemaphore semaphore = semaphore(1).ttl(LONG);
    Lease lease = hold(semaphore);
    leases().close();
    assertThat(semaphore.extend(lease.id(), LONG)).isFalse();
    assertThat(semaphore.revoke(lease.id())).isFalse();
    assertThat(semaphore.release(lease.id())).isEqualTo(ReleaseResult.UNKNOWN);
  }

  // ---- slots, logs, handles ----

  @Test
  void lease86_theLowestFreeSlotIsGivenNext() {
    LeaseSemaphore semaphore = semaphore(5);
    List<Lease> held = IntStream.range(0, 5).mapToObj(i -> hold(semaphore)).toList();
    assertThat(held).extracting(Lease::slotNumber).containsExactly(1, 2, 3, 4, 5);
    held.get(3).close();
    held.get(1).close();
    assertThat(hold(semaphore).slotNumber()).isEqualTo(2);
    assertThat(hold(semaphore).slotNumber()).isEqualTo(4);
  }

  /** Has {@code reader} read all that is logged while {@code body} runs. */
  private static void logged(Consumer<LogRecord> reader, Runnable body) {
    Logger logger = Logger.getLogger("dev.baton.lease");
    Level before = logger.getLevel();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            reader.accept(entry);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    logger.setLevel(Level.FINE);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      body.run();
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
      logger.setUseParentHandlers(true);
    }
  }

  @Test
  void lease88_whatHappensIsLogged() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    logged(
        records::add,
        () -> {
          LeaseSemaphore semaphore = semaphore(4);
          Lease lease = hold(semaphore);
          assertThat(records)
              .anySatisfy(
                  entry -> {
                    assertThat(entry.getLevel()).isEqualTo(Level.FINE);
                    assertThat(entry.getMessage()).contains("acquired", semaphore.name(), "ms", "slot 1 of 4");
                  });
          lease.close();
          String store = leases().toString().replaceAll(".*\\[(\\w+).*", "$1");
          assertThat(records)
              .anySatisfy(
                  entry -> {
                    assertThat(entry.getLevel()).isEqualTo(Level.FINE);
                    assertThat(entry.getMessage()).contains("released", semaphore.name(), store);
                  });
          Lease late = hold(semaphore.ttl(shortly()));
          world().pass(shortly().plusMillis(20));
          eventually(() -> !late.isValid() && late.lost().isPresent());
          eventually(
              () ->
                  records.stream()
                      .anyMatch(
                          entry -> entry.getLevel() == Level.WARNING && entry.getMessage().contains(semaphore.name())));
        });
  }

  @Test
  void lease88b_aLogThatFailsLosesNothing() {
    LeaseSemaphore semaphore = semaphore(1);
    logged(
        entry -> {
          throw new NoClassDefFoundError("of a test");
        },
        () -> {
          Lease lease = hold(semaphore);
          CompletableFuture<Lease> future = in(() -> semaphore.acquireAsync());
          eventually(() -> waiting(semaphore) == 1);
          lease.close();
          assertThat(in(() -> future.get().release())).isEqualTo(ReleaseResult.RELEASED);
          Lease late = hold(semaphore.ttl(shortly()));
          world().pass(shortly().plusMillis(20));
          eventually(() -> semaphore.stats().expired() == 1);
          assertThat(late.release()).isEqualTo(ReleaseResult.EXPIRED);
          Lease revoked = hold(semaphore);
          assertThat(semaphore.revoke(revoked.id())).isTrue();
          assertWhole(semaphore);
        });
  }

  @Test
  void lease88c_aLogThatTakesItsTimeKeepsNoPermitAndNoOtherLossBack() {
    LeaseSemaphore slow = semaphore(1);
    LeaseSemaphore other = semaphore(1);
    Event written = new Event();
    logged(
        entry -> {
          if (entry.getMessage().contains("lost " + slow.name() + ",")) {
            written.awaitUninterruptibly();
          }
        },
        () -> {
          try {
            Lease first = hold(slow.ttl(shortly()));
            Lease second = hold(other.ttl(shortly().multipliedBy(2)));
            List<String> told = new CopyOnWriteArrayList<>();
            first.onLost(why -> told.add("first"));
            second.onLost(why -> told.add("second"));
            world().pass(shortly().multipliedBy(2).plusMillis(20));
            eventually(() -> told.size() == 2);
            assertThat(first.release()).isEqualTo(ReleaseResult.EXPIRED);
            assertThat(tried(slow)).isPresent();
            assertThat(second.release()).isEqualTo(ReleaseResult.EXPIRED);
            assertThat(tried(other)).isPresent();
          } finally {
            written.set();
            world().settle();
          }
        });
  }

  @Test
  void lease89_releasedThroughAnotherHandleItDoesNotExpireLater() {
    Hurry.inTime(
        shortly(),
        hurry -> {
          LeaseSemaphore semaphore = semaphore(1).ttl(hurry.time());
          Lease lease = hold(semaphore);
          AtomicInteger lost = new AtomicInteger();
          lease.onLost(why -> lost.incrementAndGet());
          ReleaseResult result = leases().semaphore(semaphore.name(), 1).release(lease.id());
          hurry.done();
          assertThat(result).isEqualTo(ReleaseResult.RELEASED);
          world().pass(hurry.time().plusMillis(100));
          assertThat(lost).hasValue(0);
          assertThat(semaphore.stats().expired()).isZero();
          assertThat(lease.lost()).isEmpty();
          assertWhole(semaphore);
        });
  }
}
