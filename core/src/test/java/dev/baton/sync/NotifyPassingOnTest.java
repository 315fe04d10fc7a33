// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.world.Actor;
import dev.baton.world.SteppedWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A notification that reaches a waiter which is given up in the same step. Driven by hand: the waiter has not run in between. */
@Timeout(60)
class NotifyPassingOnTest {
  private final SteppedWorld world = new SteppedWorld();
  private final Notify notify = new Notify();

  private Actor<Void> waiter(String name) {
    return world.start(name, notify::await);
  }

  private CompletableFuture<Void> future() {
    return world.call("asker", notify::awaitAsync).result();
  }

  private void late(Runnable notification, Runnable meanwhile) {
    DeepCallbacks.run(
        () -> {
          notification.run();
          meanwhile.run();
        });
    world.settle();
  }

  @Test
  void oneOfNotifyOneGoesToTheFirst() {
    Actor<Void> given = waiter("given up");
    Actor<Void> first = waiter("first");
    Actor<Void> last = waiter("last");
    notify.notifyOne();
    given.interrupt();
    assertThat(given.failure()).isInstanceOf(InterruptedException.class);
    first.result();
    assertThat(last.isWaiting()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void oneOfNotifyLastGoesToTheLast() {
    Actor<Void> first = waiter("first");
    Actor<Void> last = waiter("last");
    Actor<Void> given = waiter("given up");
    notify.notifyLast();
    given.interrupt();
    assertThat(given.failure()).isInstanceOf(InterruptedException.class);
    last.result();
    assertThat(first.isWaiting()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void oneForEveryoneIsNotPassedOn() {
    Actor<Void> given = waiter("given up");
    Actor<Void> other = waiter("other");
    notify.notifyEveryone();
    given.interrupt();
    Actor<Void> later = waiter("later");
    assertThat(given.failure()).isInstanceOf(InterruptedException.class);
    other.result();
    assertThat(later.isWaiting()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void withNobodyLeftItIsStored() {
    for (Runnable notification : new Runnable[] {notify::notifyOne, notify::notifyLast}) {
      Actor<Void> given = waiter("given up");
      notification.run();
      given.interrupt();
      assertThat(given.failure()).isInstanceOf(InterruptedException.class);
      assertThat(notify.tryAwait()).isTrue();
      assertThat(notify.tryAwait()).isFalse();
    }
  }

  @Test
  void passedOnItReachesOneWhoIsGivenUpAndGoesOnFromThere() {
    Actor<Void> first = waiter("first");
    Actor<Void> second = waiter("second");
    Actor<Void> third = waiter("third");
    notify.notifyOne();
    first.interrupt();
    second.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    assertThat(second.failure()).isInstanceOf(InterruptedException.class);
    third.result();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void aNotificationThatMeetsATimeOutIsTaken() {
    Actor<Boolean> timed = world.call("timed", () -> notify.await(Duration.ofSeconds(1)));
    world.host().advance(Duration.ofSeconds(1).toNanos());
    // The time has come, and the waiter has not looked yet.
    notify.notifyOne();
    assertThat(timed.result()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void aFutureCancelledAsItIsNotifiedPassesItOn() {
    CompletableFuture<Void> cancelled = future();
    CompletableFuture<Void> first = future();
    CompletableFuture<Void> last = future();
    late(notify::notifyOne, () -> assertThat(cancelled.cancel(false)).isTrue());
    assertThat(first.isDone()).isTrue();
    assertThat(last.isDone()).isFalse();
    assertThat(notify.waiting()).isEqualTo(1);
  }

  @Test
  void aFutureCompletedByHandAsItIsNotifiedPassesItOn() {
    CompletableFuture<Void> first = future();
    CompletableFuture<Void> last = future();
    CompletableFuture<Void> completed = future();
    late(
        notify::notifyLast, () -> assertThat(completed.completeExceptionally(new IllegalStateException("mine"))).isTrue());
    assertThat(last.isDone()).isTrue();
    assertThat(first.isDone()).isFalse();
  }

  @Test
  void aFutureCancelledAsEveryoneIsNotifiedPassesNothingOn() {
    CompletableFuture<Void> cancelled = future();
    late(
        notify::notifyEveryone,
        () -> {
          assertThat(cancelled.cancel(false)).isTrue();
          assertThat(notify.tryAwait()).isFalse();
        });
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void timersOfNotifiedAndCancelledFuturesAreWithdrawn() {
    CompletableFuture<Void> notified = world.call("a", () -> notify.awaitAsync(Duration.ofHours(1))).result();
    CompletableFuture<Void> cancelled = world.call("b", () -> notify.awaitAsync(Duration.ofHours(1))).result();
    assertThat(world.host().alarms()).isEqualTo(2);
    notify.notifyOne();
    assertThat(notified.isDone()).isTrue();
    cancelled.cancel(false);
    assertThat(world.host().alarms()).isZero();
  }

  @Test
  void aRaceOfCancelAndNotificationLosesNothing() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      CompletableFuture<Void> future = notify.awaitAsync();
      Thread notifier = Thread.ofVirtual().start(round % 2 == 0 ? notify::notifyOne : notify::notifyLast);
      boolean mine = future.cancel(false);
      assertThat(notifier.join(Duration.ofSeconds(20))).isTrue();
      assertThat(notify.tryAwait()).isEqualTo(mine);
    }
  }
}
