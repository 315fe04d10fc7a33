// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import dev.baton.world.Actor;
import dev.baton.world.SteppedWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures of Baton's wait, time out and start work as the world of their caller does. */
@Timeout(60)
class HostedFutureTest extends InEveryWorld {
  private final Semaphore permits = Semaphore.of(1);

  private Permit taken() {
    return permits.tryHold().orElseThrow();
  }

  @Test
  void getWaitsAndIsWoken() {
    Permit held = taken();
    Actor<Permit> waiter = world().call("waiter", () -> permits.acquireAsync().get());
    assertThat(waiter.isWaiting()).isTrue();
    held.close();
    waiter.result().close();
    assertThat(permits.available()).isEqualTo(1);
  }

  @Test
  void joinOfWhatWasDerivedWaitsAndIsWoken() {
    Permit held = taken();
    Actor<Long> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  CompletableFuture<Permit> future = permits.acquireAsync();
                  return future.thenApply(Permit::count).thenCombine(future, (n, permit) -> n + permit.count()).join();
                });
    assertThat(waiter.isWaiting()).isTrue();
    held.close();
    assertThat(waiter.result()).isEqualTo(2);
  }

  @Test
  void getGivesUpAfterItsTime() {
    Permit held = taken();
    Actor<Permit> waiter =
        world().call("waiter", () -> permits.acquireAsync().get(SHORT.toNanos(), TimeUnit.NANOSECONDS));
    world().pass(SHORT);
    assertThat(waiter.failure()).isInstanceOf(TimeoutException.class);
    // Only the wait has ended: the future stands in line.
    assertThat(permits.waiting()).isEqualTo(1);
    held.close();
  }

  @Test
  void whoeverGivesUpLeavesNothingOnTheFuture() {
    Baton.track(Tracking.ON);
    try {
      Permit held = taken();
      CompletableFuture<Permit> future = permits.acquireAsync();
      for (int i = 0; i < 5; i++) {
        Actor<Permit> timed = world().call("timed", () -> future.get(SHORT.toNanos(), TimeUnit.NANOSECONDS));
        Actor<Permit> interrupted = world().call("interrupted", () -> future.get());
        world().pass(SHORT);
        assertThat(timed.failure()).isInstanceOf(TimeoutException.class);
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
      }
      assertThat(future.getNumberOfDependents()).isZero();
      Actor<Permit> patient = world().call("patient", () -> future.get());
      held.close();
      patient.result().close();
    } finally {
      Baton.track(Tracking.OFF);
    }
  }

  @Test
  void getIsInterruptedAndJoinIsNot() {
    Permit held = taken();
    Actor<Permit> getter = world().call("getter", () -> permits.acquireAsync().get());
    Actor<Permit> joiner = world().call("joiner", () -> permits.acquireAsync().join());
    getter.interrupt();
    assertThat(getter.failure()).isInstanceOf(InterruptedException.class);
    joiner.interrupt();
    world().settle();
    assertThat(joiner.isDone()).isFalse();
    // One for the getter's future, which is still in line, and one for the joiner's.
    permits.resize(3);
    joiner.result().close();
    assertThat(joiner.endedInterrupted()).isTrue();
    held.close();
  }

  @Test
  void aTimeOutEndsTheFutureAndWithdrawsTheRequest() {
    Permit held = taken();
    Actor<Permit> waiter =
        world().call("waiter", () -> permits.acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS).get());
    assertThat(waiter.isWaiting()).isTrue();
    world().pass(SHORT);
    assertThat(waiter.failure()).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(TimeoutException.class);
    assertThat(permits.waiting()).isZero();
    held.close();
    assertThat(permits.available()).isEqualTo(1);
  }

  @Test
  void aTimeOutThatIsNotNeededIsWithdrawn() {
    Actor<String> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  Promise<String> promise = new Promise<>();
                  CompletableFuture<String> future =
                      promise.future().toCompletableFuture().orTimeout(LONG.toMinutes(), TimeUnit.MINUTES);
                  promise.complete("in time");
                  return future.get();
                });
    assertThat(waiter.result()).isEqualTo("in time");
    if (world() instanceof SteppedWorld stepped) {
      assertThat(stepped.host().alarms()).isZero();
    }
  }

  @Test
  void aValueInTheEndOfTheTime() {
    Actor<String> waiter =
        world()
            .call(
                "waiter",
                () ->
                    new Promise<String>()
                        .future()
                        .toCompletableFuture()
                        .thenApply(text -> text + "!")
                        .completeOnTimeout("too late", SHORT.toMillis(), TimeUnit.MILLISECONDS)
                        .join());
    world().pass(SHORT);
    assertThat(waiter.result()).isEqualTo("too late");
  }

  @Test
  void workGoesOnInATaskOfTheSameWorld() {
    AtomicReference<String> done = new AtomicReference<>("");
    Actor<String> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  Event event = new Event();
                  CompletableFuture<String> later =
                      event
                          .awaitAsync()
                          .thenApplyAsync(
                              nothing -> {
                                done.set("done");
                                return "later";
                              });
                  event.set();
                  return later.get();
                });
    assertThat(waiter.result()).isEqualTo("later");
    assertThat(done).hasValue("done");
  }

  @Test
  void aFutureThatFailedSaysWhy() {
    Actor<Object> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  Promise<Object> promise = new Promise<>();
                  promise.fail(new IllegalStateException("broken"));
                  return promise.future().toCompletableFuture().get();
                });
    assertThat(waiter.failure()).isInstanceOf(ExecutionException.class).hasRootCauseMessage("broken");
  }

  @Test
  void anHourOfASimulationTakesNoTime() {
    SteppedWorld simulation = new SteppedWorld();
    Permit held = taken();
    Actor<Boolean> waiter =
        simulation.call(
            "waiter",
            () -> permits.acquireAsync().orTimeout(1, TimeUnit.HOURS).handle((permit, failure) -> permit == null).get());
    simulation.pass(LONG.minusNanos(1));
    assertThat(waiter.isDone()).isFalse();
    simulation.pass(Duration.ofNanos(1));
    assertThat(waiter.result()).isTrue();
    assertThat(simulation.host().alarms()).isZero();
    held.close();
  }
}
