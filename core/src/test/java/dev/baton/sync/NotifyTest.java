// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class NotifyTest extends InEveryWorld {
  private final Notify notify = new Notify();

  private Actor<Void> waiter(String name) {
    return world().start(name, notify::await);
  }

  @Test
  void case72_aNotificationBeforeTheWaitIsKeptAndOnlyOne() {
    notify.notifyOne();
    notify.notifyOne();
    notify.notifyLast();
    assertThat(notify.toString()).contains("one stored");
    waiter("first").result();
    Actor<Void> second = waiter("second");
    assertThat(second.isWaiting()).isTrue();
    assertThat(notify.toString()).contains("1 waiting");
    notify.notifyLast();
    second.result();
    notify.notifyLast();
    assertThat(notify.tryAwait()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
    assertThat(notify.toString()).contains("nothing stored");
  }

  @Test
  void case73_notifyOneReachesTheFirstAndNotifyLastTheLast() {
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiters.add(waiter("waiter " + i));
    }
    notify.notifyOne();
    waiters.get(0).result();
    assertThat(notify.waiting()).isEqualTo(3);
    notify.notifyLast();
    waiters.get(3).result();
    assertThat(notify.waiting()).isEqualTo(2);
    notify.notifyLast();
    waiters.get(2).result();
    assertThat(waiters.get(1).isWaiting()).isTrue();
    notify.notifyLast();
    waiters.get(1).result();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void case75_notifyEveryoneWithNobodyThereStoresNothing() {
    notify.notifyEveryone();
    assertThat(notify.tryAwait()).isFalse();
    Actor<Void> waiter = waiter("waiter");
    assertThat(waiter.isWaiting()).isTrue();
    notify.notifyOne();
    waiter.result();
  }

  @Test
  void case75_notifyEveryoneLeavesTheStoredOneAlone() {
    notify.notifyOne();
    notify.notifyEveryone();
    assertThat(notify.tryAwait()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void case76_notifyEveryoneWakesAllWhoCameBeforeAndNobodyWhoComesAfter() {
    List<Actor<Void>> before = new ArrayList<>();
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    List<CompletableFuture<Void>> after = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 50; i++) {
      before.add(waiter("waiter " + i));
      // Registers again while the others are still being woken.
      futures.add(notify.awaitAsync().thenRun(() -> after.add(notify.awaitAsync())));
    }
    assertThat(notify.waiting()).isEqualTo(100);
    notify.notifyEveryone();
    Actor<Void> late = waiter("late");
    before.forEach(Actor::result);
    assertThat(futures).allMatch(CompletableFuture::isDone);
    assertThat(after).hasSize(50).noneMatch(CompletableFuture::isDone);
    assertThat(notify.waiting()).isEqualTo(51);
    assertThat(late.isDone()).isFalse();
    notify.notifyEveryone();
    late.result();
    assertThat(after).hasSize(50).allMatch(CompletableFuture::isDone);
  }

  @Test
  void case78_aNotificationForOneSurvivesTheEndOfAWaiterThatEveryoneWasFor() {
    Actor<Void> woken = waiter("woken");
    notify.notifyEveryone();
    notify.notifyOne();
    woken.interrupt();
    Eventually.holds(world(), woken::isDone);
    assertThat(notify.tryAwait()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void case79_oneNotificationForEveryoneNeverEndsTwoWaitsOfOne() {
    Event between = new Event();
    Actor<Void> twice =
        world()
            .start(
                "twice",
                () -> {
                  notify.await();
                  between.set();
                  notify.await();
                });
    notify.notifyEveryone();
    Eventually.holds(world(), () -> between.isSet() && notify.waiting() == 1);
    Eventually.holds(world(), twice::isWaiting);
    notify.notifyEveryone();
    twice.result();
  }

  @Test
  void case81_aCallbackMayNotify() {
    List<String> order = new ArrayList<>();
    CompletableFuture<Void> first = notify.awaitAsync().thenRun(() -> {
          order.add("first");
          notify.notifyOne();
        });
    CompletableFuture<Void> second = notify.awaitAsync().thenRun(() -> {
          order.add("second");
          notify.notifyLast();
        });
    CompletableFuture<Void> third = notify.awaitAsync().thenRun(() -> {
          order.add("third");
          notify.notifyEveryone();
        });
    notify.notifyOne();
    assertThat(first.isDone() && second.isDone() && third.isDone()).isTrue();
    assertThat(order).containsExactly("first", "second", "third");
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  @SuppressWarnings("NullAway") // Void has no other value than null
  void aNotificationGoesPastThoseWhoHaveLeft() {
    Actor<Void> interrupted = waiter("interrupted");
    Actor<Boolean> timed = world().call("timed", () -> notify.await(SHORT));
    CompletableFuture<Void> cancelled = notify.awaitAsync();
    CompletableFuture<Void> completed = notify.awaitAsync();
    Actor<Void> patient = waiter("patient");
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(completed.complete(null)).isTrue();
    assertThat(notify.waiting()).isEqualTo(1);
    notify.notifyOne();
    patient.result();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void anInterruptedCallerTakesNothing() {
    notify.notifyOne();
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(notify::await, () -> notify.await(LONG), () -> notify.await(Duration.ZERO))) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(notify.tryAwait()).isTrue();
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheInterrupt() {
    Actor<Void> waiter = world().start("waiter", notify::awaitUninterruptibly);
    waiter.interrupt();
    world().settle();
    assertThat(notify.waiting()).isEqualTo(1);
    notify.notifyOne();
    waiter.result();
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void aTimedWaitTakesWhatIsStoredAndWaitsNoLonger() throws Exception {
    assertThat(notify.await(Duration.ZERO)).isFalse();
    assertThat(notify.await(Duration.ofSeconds(-1))).isFalse();
    notify.notifyOne();
    assertThat(notify.await(Duration.ofSeconds(-1))).isTrue();
    notify.notifyOne();
    assertThat(notify.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    Actor<Boolean> endless = world().call("endless", () -> notify.await(Duration.ofSeconds(Long.MAX_VALUE)));
    notify.notifyOne();
    assertThat(endless.result()).isTrue();
    assertThat(notify.waiting()).isZero();
  }

  @Test
  void aFutureTakesWhatIsStored() {
    notify.notifyOne();
    assertThat(notify.awaitAsync(Duration.ZERO).isDone()).isTrue();
    assertThat(notify.awaitAsync(Duration.ZERO).exceptionNow())
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("no notification was taken");
    notify.notifyOne();
    assertThat(notify.awaitAsync().isDone()).isTrue();
    assertThat(notify.tryAwait()).isFalse();
  }

  @Test
  void aFutureTimesOut() {
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Void> future = notify.awaitAsync(SHORT);
                  Event ended = new Event();
                  future.whenComplete((nothing, failure) -> ended.set());
                  ended.await();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class);
    assertThat(notify.waiting()).isZero();
    notify.notifyOne();
    assertThat(notify.tryAwait()).isTrue();
  }

  @Test
  void aThrowingCallbackSkipsNobody() {
    CompletableFuture<Void> broken =
        notify
            .awaitAsync()
            .thenRun(
                () -> {
                  throw new IllegalStateException("callback");
                });
    CompletableFuture<Void> next = notify.awaitAsync();
    notify.notifyEveryone();
    assertThat(next.isDone()).isTrue();
    assertThatThrownBy(broken::join).hasRootCauseMessage("callback");
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void aMissingTimeoutIsRefusedAndChangesNothing() {
    notify.notifyOne();
    assertThatThrownBy(() -> notify.await(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> notify.awaitAsync(null)).isInstanceOf(NullPointerException.class);
    assertThat(notify.tryAwait()).isTrue();
    assertThat(notify.waiting()).isZero();
  }
}
