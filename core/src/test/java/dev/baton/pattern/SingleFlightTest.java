// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.pattern.SingleFlight.Shared;
import dev.baton.scope.ContextCarrier;
import dev.baton.scope.Scope;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // nulls are given on purpose
class SingleFlightTest extends InEveryWorld {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  private final SingleFlight<String, String> flights = new SingleFlight<>();
  private final Semaphore go = Semaphore.unbounded(0);
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Work that waits until it may go on. */
  private Callable<String> slow(String value) {
    return () -> {
      threads.add(Thread.currentThread());
      int run = runs.incrementAndGet();
      try {
        go.acquire();
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
        throw e;
      }
      return value + run;
    };
  }

  private List<Actor<Shared<String>>> callers(int n) {
    List<Actor<Shared<String>>> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(world().call("caller " + i, () -> flights.call("key", slow("value"))));
    }
    Eventually.holds(world(), () -> go.waiting() == 1);
    return all;
  }

  private void release(int n) {
    world().start("go", () -> go.release(n)).result();
  }

  private void assertNothingLeft() {
    assertThat(go.waiting()).isZero();
    Eventually.gone(world(), threads);
    assertThat(world().call("in flight", flights::inFlight).result()).isZero();
  }

  @Test
  void case117_tenCallersShareOneRun() {
    List<Actor<Shared<String>>> all = callers(10);
    release(1);
    assertThat(all.stream().map(Actor::result).map(Shared::value)).containsOnly("value1");
    assertThat(all.stream().map(Actor::result).filter(result -> !result.shared())).hasSize(1);
    assertThat(all.getFirst().result().shared()).isFalse();
    assertThat(runs).hasValue(1);
    assertNothingLeft();
  }

  @Test
  void aCallbackOfOneCallerDoesNotKeepAnother() {
    Actor<Shared<String>> first = callers(1).getFirst();
    Semaphore returned = Semaphore.unbounded(0);
    AtomicReference<String> heard = new AtomicReference<>();
    world()
        .start(
            "callback",
            () ->
                flights
                    .callAsync("key", slow("never"))
                    .thenAccept(
                        shared -> {
                          returned.acquireUninterruptibly();
                          heard.set(shared.value());
                        }))
        .result();
    release(1);
    assertThat(first.result().value()).isEqualTo("value1");
    assertThat(heard).hasValue(null);
    world().start("returned", () -> returned.release()).result();
    Eventually.holds(world(), () -> "value1".equals(heard.get()));
    assertNothingLeft();
  }

  @Test
  void case117_sharersNeverWaitForMoreThanOneRun() {
    int rounds = kind == Worlds.STEPPED ? 5 : 2_000;
    AtomicInteger running = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger own = new AtomicInteger();
    together(
        4,
        () -> {
          for (int i = 0; i < rounds; i++) {
            Shared<String> shared =
                flights.call(
                    "key",
                    () -> {
                      assertThat(running.incrementAndGet()).isEqualTo(1);
                      flights.isInFlight("key");
                      running.decrementAndGet();
                      return "value" + runs.incrementAndGet();
                    });
            assertThat(shared.value()).startsWith("value");
            calls.incrementAndGet();
            own.addAndGet(shared.shared() ? 0 : 1);
          }
        });
    assertThat(calls).hasValue(4 * rounds);
    assertThat(own.get()).isEqualTo(runs.get());
    assertNothingLeft();
  }

  @Test
  void case119_anErrorReachesEveryCallerEachInAnExceptionOfItsOwn() {
    IOException failure = new IOException("no answer");
    Callable<String> failing =
        () -> {
          runs.incrementAndGet();
          go.acquire();
          throw failure;
        };
    List<Actor<Shared<String>>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(world().call("caller " + i, () -> flights.call("key", failing)));
    }
    Eventually.holds(world(), () -> go.waiting() == 1);
    Actor<CompletableFuture<Shared<String>>> async = world().call("async", () -> flights.callAsync("key", failing));
    async.result();
    release(1);
    assertThat(all.stream().map(Actor::failure)).allMatch(error -> error.getCause() == failure).doesNotHaveDuplicates();
    assertThat(all.stream().map(Actor::failure)).allMatch(FlightFailedException.class::isInstance);
    assertThatThrownBy(() -> async.result().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(FlightFailedException.class)
        .hasRootCause(failure);
    assertThat(runs).hasValue(1);
    assertNothingLeft();
  }

  @Test
  void case120_aCancelledCallerLeavesAloneAlsoTheFirst() {
    List<Actor<Shared<String>>> all = callers(3);
    all.getFirst().interrupt();
    assertThat(all.getFirst().failure()).isInstanceOf(InterruptedException.class);
    assertThat(all.getFirst().endedInterrupted()).isFalse();
    assertThat(interrupted).hasValue(0);
    assertThat(all.subList(1, 3)).noneMatch(Actor::isDone);
    release(1);
    assertThat(all.subList(1, 3).stream().map(Actor::result)).containsOnly(new Shared<>("value1", true));
    assertNothingLeft();
  }

  @Test
  void case120_theLastToLeaveCancelsTheRunAndWaitsForItsEnd() {
    List<Actor<Shared<String>>> all = callers(3);
    all.forEach(Actor::interrupt);
    assertThat(all.stream().map(Actor::failure)).allMatch(InterruptedException.class::isInstance);
    assertThat(interrupted).hasValue(1);
    assertThat(threads).noneMatch(Thread::isAlive);
    assertNothingLeft();
  }

  @Test
  void pattern24_whoeverComesAfterAllHaveLeftStartsAnew() {
    List<Actor<Shared<String>>> first = callers(1);
    first.getFirst().interrupt();
    assertThat(first.getFirst().failure()).isInstanceOf(InterruptedException.class);
    List<Actor<Shared<String>>> second = callers(2);
    release(1);
    assertThat(second.stream().map(Actor::result).map(Shared::value)).containsOnly("value2");
    assertThat(runs).hasValue(2);
    assertNothingLeft();
  }

  @Test
  void pattern24_whatIsForgottenGoesOnForItsCallersAndOthersStartAnew() {
    List<Actor<Shared<String>>> first = callers(2);
    assertThat(world().call("forget", () -> flights.forget("key")).result()).isTrue();
    assertThat(world().call("forget again", () -> flights.forget("key")).result()).isFalse();
    Actor<Shared<String>> second = world().call("second", () -> flights.call("key", slow("other")));
    Eventually.holds(world(), () -> go.waiting() == 2);
    assertThat(runs).hasValue(2);
    release(2);
    assertThat(first.stream().map(Actor::result).map(Shared::value)).containsOnly("value1");
    assertThat(second.result()).isEqualTo(new Shared<>("other2", false));
    assertNothingLeft();
  }

  @Test
  void aCallThatComesAfterTheEndStartsAnew() {
    release(2);
    for (int i = 1; i <= 2; i++) {
      Actor<Shared<String>> caller = world().call("caller", () -> flights.call("key", slow("value")));
      assertThat(caller.result()).isEqualTo(new Shared<>("value" + i, false));
    }
  }

  @Test
  void keysDoNotDisturbEachOther() {
    Actor<Shared<String>> a = world().call("a", () -> flights.call("a", slow("a")));
    Eventually.holds(world(), () -> go.waiting() == 1);
    Actor<Shared<String>> b = world().call("b", () -> flights.call("b", slow("b")));
    Eventually.holds(world(), () -> go.waiting() == 2);
    assertThat(world().call("look", () -> flights.inFlight()).result()).isEqualTo(2);
    a.interrupt();
    assertThat(a.failure()).isInstanceOf(InterruptedException.class);
    release(1);
    assertThat(b.result()).isEqualTo(new Shared<>("b2", false));
    assertNothingLeft();
  }

  @Test
  void aCallerThatRunsOutOfTimeLeaves() {
    List<Actor<Shared<String>>> patient = callers(1);
    Actor<Shared<String>> hasty = world().call("hasty", () -> flights.call("key", SHORT, slow("value")));
    world().pass(SHORT.multipliedBy(2));
    assertThat(hasty.failure()).isInstanceOf(TimeoutException.class);
    assertThat(interrupted).hasValue(0);
    release(1);
    assertThat(patient.getFirst().result().value()).isEqualTo("value1");
    Actor<Shared<String>> alone = world().call("alone", () -> flights.call("key", SHORT, slow("value")));
    Eventually.holds(world(), () -> go.waiting() == 1);
    world().pass(SHORT.multipliedBy(2));
    assertThat(alone.failure()).isInstanceOf(TimeoutException.class);
    assertThat(interrupted).hasValue(1);
    assertNothingLeft();
  }

  @Test
  void aCallerThatIsInterruptedAlreadyStartsNothing() {
    Actor<Void> caller =
        world()
            .start(
                "caller",
                () -> {
                  Thread.currentThread().interrupt();
                  flights.call("key", slow("value"));
                });
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(runs).hasValue(0);
    assertNothingLeft();
  }

  @Test
  void futuresShareAndTheLastOneCancelledCancelsTheRun() {
    Actor<CompletableFuture<Shared<String>>> first = world().call("first", () -> flights.callAsync("key", slow("value")));
    first.result();
    Eventually.holds(world(), () -> go.waiting() == 1);
    Actor<CompletableFuture<Shared<String>>> second =
        world().call("second", () -> flights.callAsync("key", LONG, slow("value")));
    second.result();
    world().start("cancel", () -> first.result().cancel(true)).result();
    world().settle();
    assertThat(interrupted).hasValue(0);
    release(1);
    Eventually.holds(world(), () -> second.result().isDone());
    assertThat(second.result().join()).isEqualTo(new Shared<>("value1", true));

    Actor<CompletableFuture<Shared<String>>> alone = world().call("alone", () -> flights.callAsync("key", slow("value")));
    alone.result();
    Eventually.holds(world(), () -> go.waiting() == 1);
    world().start("cancel", () -> alone.result().cancel(true)).result();
    Eventually.holds(world(), () -> interrupted.get() == 1);
    assertNothingLeft();
  }

  @Test
  void aFutureThatRunsOutOfTimeLeaves() {
    Actor<CompletableFuture<Shared<String>>> timed =
        world().call("timed", () -> flights.callAsync("key", SHORT, slow("value")));
    timed.result();
    Eventually.holds(world(), () -> go.waiting() == 1);
    world().pass(SHORT.multipliedBy(2));
    Eventually.holds(world(), () -> interrupted.get() == 1);
    assertThatThrownBy(() -> timed.result().get()).hasCauseInstanceOf(TimeoutException.class);
    assertNothingLeft();
  }

  @Test
  void workThatCallsForItsOwnKeyIsRefused() {
    Actor<Shared<String>> caller =
        world().call("caller", () -> flights.call("key", () -> flights.call("key", () -> "never").value()));
    assertThat(caller.failure())
        .isInstanceOf(FlightFailedException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("The work for key would wait for itself: what it calls must not call for its own key again.");
    assertNothingLeft();
  }

  @Test
  void workThatWaitsForItselfThroughOthersIsRefused() {
    Actor<Shared<String>> caller =
        world()
            .call(
                "caller",
                () ->
                    flights.call(
                        "a",
                        () -> flights.call("b", () -> flights.call("a", () -> "never").value()).value()));
    assertThat(caller.failure()).hasRootCauseInstanceOf(IllegalStateException.class);
    assertNothingLeft();
  }

  /** A key whose hash can be made to fail, or to change, while work for it runs. */
  private static final class Unsteady {
    private final AtomicInteger hash = new AtomicInteger(1);
    private final AtomicReference<RuntimeException> error = new AtomicReference<>();

    @Override
    public int hashCode() {
      RuntimeException thrown = error.get();
      if (thrown != null) {
        throw thrown;
      }
      return hash.get();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  @Test
  void aKeyThatFailsKeepsNobodyFromTheResult() {
    SingleFlight<Unsteady, String> unsteady = new SingleFlight<>();
    Unsteady key = new Unsteady();
    Actor<Shared<String>> caller =
        world()
            .call(
                "caller",
                () ->
                    unsteady.call(
                        key,
                        () -> {
                          Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                          key.error.set(new IllegalStateException("a key"));
                          return "value";
                        }));
    assertThat(caller.result().value()).isEqualTo("value");
  }

  @Test
  void aKeyThatFailsWhenTheLastLeavesDoesNotKeepTheWorkRunning() {
    SingleFlight<Unsteady, String> unsteady = new SingleFlight<>();
    Unsteady key = new Unsteady();
    Callable<String> work = slow("value");
    Actor<Shared<String>> caller =
        world()
            .call(
                "caller",
                () ->
                    unsteady.call(
                        key,
                        () -> {
                          Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                          key.error.set(new IllegalStateException("a key"));
                          return work.call();
                        }));
    Eventually.holds(world(), () -> go.waiting() == 1);
    caller.interrupt();
    assertThat(caller.failure()).hasMessage("a key");
    assertThat(interrupted).hasValue(1);
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  @Test
  void aKeyThatChangesWhileItsWorkRunsDoesNotBringTheOldResultForEver() {
    SingleFlight<Unsteady, String> unsteady = new SingleFlight<>();
    Unsteady key = new Unsteady();
    Actor<Shared<String>> first =
        world()
            .call(
                "first",
                () ->
                    unsteady.call(
                        key,
                        () -> {
                          key.hash.set(2);
                          return "old";
                        }));
    assertThat(first.result().value()).isEqualTo("old");
    key.hash.set(1);
    Actor<Shared<String>> second = world().call("second", () -> unsteady.call(key, () -> "new"));
    assertThat(second.result()).isEqualTo(new Shared<>("new", false));
    assertThat(world().call("in flight", unsteady::inFlight).result()).isZero();
  }

  @Test
  void workMayCallForOtherKeys() {
    Actor<Shared<String>> caller =
        world().call("caller", () -> flights.call("a", () -> "a" + flights.call("b", () -> "b").value()));
    assertThat(caller.result()).isEqualTo(new Shared<>("ab", false));
    assertNothingLeft();
  }

  @Test
  void theWorkHasTheContextOfTheOneWhoStartedItButNotItsDeadline() {
    AtomicReference<Object> left = new AtomicReference<>();
    Actor<String> caller =
        world()
            .call(
                "caller",
                () ->
                    ScopedValue.where(USER, "ann")
                        .call(
                            () ->
                                Scope.call(
                                    scope -> {
                                      scope.carry(USER).deadline(LONG);
                                      return flights
                                          .call(
                                              "key",
                                              () -> {
                                                left.set(Scope.timeLeft());
                                                return USER.get();
                                              })
                                          .value();
                                    })));
    assertThat(caller.result()).isEqualTo("ann");
    assertThat(left.get()).isEqualTo(java.util.Optional.empty());
  }

  @Test
  void aCarrierThatRunsItTwiceDoesNotHaveTheWorkDoneTwice() {
    Actor<Shared<Integer>> caller =
        world()
            .call(
                "caller",
                () ->
                    Scope.call(
                        scope -> {
                          scope.carry(
                              (ContextCarrier)
                                  () ->
                                      body -> {
                                        body.run();
                                        body.run();
                                      });
                          return new SingleFlight<String, Integer>().call("key", runs::incrementAndGet);
                        }));
    assertThat(caller.result().value()).isEqualTo(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  void nullsAreRefused() {
    assertThatThrownBy(() -> flights.call(null, slow("value"))).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.call("key", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.call("key", (Duration) null, slow("value"))).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.callAsync(null, slow("value"))).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.forget(null)).isInstanceOf(NullPointerException.class);
    assertThat(runs).hasValue(0);
    Actor<Shared<String>> caller = world().call("caller", () -> flights.call("key", () -> null));
    assertThat(caller.failure()).isInstanceOf(FlightFailedException.class).hasCauseInstanceOf(NullPointerException.class);
    assertNothingLeft();
  }
}
