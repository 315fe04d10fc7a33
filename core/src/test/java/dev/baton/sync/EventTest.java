// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class EventTest extends InEveryWorld {
  private final Event event = new Event();

  @Test
  void settingWakesAllWhoWaitAndLaterOnesDoNotWait() throws Exception {
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      waiters.add(world().start("waiter " + i, event::await));
    }
    CompletableFuture<Void> future = event.awaitAsync();
    assertThat(event.waiting()).isEqualTo(41);
    assertThat(event.isSet()).isFalse();
    assertThat(event.toString()).contains("not set, 41 waiting");
    assertThat(event.set()).isTrue();
    waiters.forEach(Actor::result);
    assertThat(future.isDone()).isTrue();
    assertThat(event.isSet()).isTrue();
    assertThat(event.waiting()).isZero();
    assertThat(event.toString()).contains("[set]");
    event.await();
    event.awaitUninterruptibly();
    assertThat(event.await(Duration.ZERO)).isTrue();
    assertThat(event.awaitAsync().isDone()).isTrue();
    assertThat(event.awaitAsync(Duration.ZERO).isCompletedExceptionally()).isFalse();
  }

  @Test
  void onlyTheFirstSets() {
    assertThat(event.set()).isTrue();
    assertThat(event.set()).isFalse();
    assertThat(event.isSet()).isTrue();
  }

  @Test
  void futuresEndInTheOrderInWhichTheyCame() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int place = i;
      event.awaitAsync().thenRun(() -> order.add(place));
    }
    event.set();
    assertThat(order).hasSize(40).isSorted();
  }

  @Test
  @SuppressWarnings("NullAway") // Void has no other value than null
  void aWaitThatEndsEarlyConcernsNobodyElse() {
    Actor<Void> interrupted = world().start("interrupted", event::await);
    Actor<Boolean> timed = world().call("timed", () -> event.await(SHORT));
    CompletableFuture<Void> cancelled = event.awaitAsync();
    CompletableFuture<Void> completed = event.awaitAsync();
    Actor<Boolean> patient = world().call("patient", () -> event.await(LONG));
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(completed.complete(null)).isTrue();
    assertThat(event.waiting()).isEqualTo(1);
    assertThat(event.isSet()).isFalse();
    event.set();
    assertThat(patient.result()).isTrue();
    assertThat(cancelled.isCancelled()).isTrue();
  }

  @Test
  void anInterruptedCallerDoesNotPass() {
    event.set();
    for (VoidBody<Exception> call : List.<VoidBody<Exception>>of(event::await, () -> event.await(LONG))) {
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
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheInterrupt() {
    Actor<Void> waiter = world().start("waiter", event::awaitUninterruptibly);
    waiter.interrupt();
    world().settle();
    assertThat(event.waiting()).isEqualTo(1);
    event.set();
    waiter.result();
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void whoMayNotWaitLooksOnce() throws Exception {
    assertThat(event.await(Duration.ZERO)).isFalse();
    assertThat(event.await(Duration.ofSeconds(-1))).isFalse();
    assertThat(event.awaitAsync(Duration.ZERO).exceptionNow())
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("did not happen");
    assertThat(event.waiting()).isZero();
    CompletableFuture<Void> endless = event.awaitAsync(Duration.ofSeconds(Long.MAX_VALUE));
    event.set();
    assertThat(endless.isDone()).isTrue();
  }

  @Test
  void aFutureTimesOut() {
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Void> future = event.awaitAsync(SHORT);
                  Event ended = new Event();
                  future.whenComplete((nothing, failure) -> ended.set());
                  ended.await();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class);
    assertThat(event.waiting()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void aMissingTimeoutIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> event.await(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> event.awaitAsync(null)).isInstanceOf(NullPointerException.class);
    assertThat(event.waiting()).isZero();
  }
}
