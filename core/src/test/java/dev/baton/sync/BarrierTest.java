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
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class BarrierTest extends InEveryWorld {

  @Test
  void case82_aBarrierOfOneNeverWaitsAndAlwaysLeads() throws Exception {
    Barrier alone = Barrier.of(1);
    assertThat(alone.await()).isTrue();
    assertThat(alone.await(LONG)).isTrue();
    assertThat(alone.await(Duration.ZERO)).isTrue();
    assertThat(alone.awaitUninterruptibly()).isTrue();
    assertThat(alone.awaitAsync().join()).isTrue();
    assertThat(alone.awaitAsync(Duration.ZERO).join()).isTrue();
    assertThat(alone.generation()).isEqualTo(6);
    assertThat(alone.waiting()).isZero();
    assertThat(alone.parties()).isEqualTo(1);
  }

  @Test
  void case83_aHundredMeetTenTimesWithOneLeaderEachAndNobodyEarly() {
    int parties = 100;
    int rounds = 10;
    Barrier barrier = Barrier.of(parties);
    AtomicIntegerArray arrived = new AtomicIntegerArray(rounds);
    AtomicIntegerArray leaders = new AtomicIntegerArray(rounds);
    together(
        parties,
        () -> {
          for (int round = 0; round < rounds; round++) {
            arrived.incrementAndGet(round);
            if (barrier.await()) {
              leaders.incrementAndGet(round);
            }
            assertThat(arrived.get(round)).isEqualTo(parties);
            assertThat(barrier.generation()).isBetween(round + 1L, round + 2L);
          }
        });
    for (int round = 0; round < rounds; round++) {
      assertThat(leaders.get(round)).as("leaders of round %s", round).isEqualTo(1);
    }
    assertThat(barrier.generation()).isEqualTo(rounds);
    assertThat(barrier.waiting()).isZero();
  }

  @Test
  void case84_arrivalsOfTheNextRoundDoNotMixWithThisOne() throws Exception {
    Barrier barrier = Barrier.of(3);
    Actor<Boolean> a = world().call("a", barrier::await);
    CompletableFuture<Boolean> b = barrier.awaitAsync();
    assertThat(barrier.toString()).contains("2 of 3 waiting", "0 rounds");
    assertThat(barrier.await()).isTrue();
    // Those of the first round have not run, perhaps; the second one has begun.
    CompletableFuture<Boolean> c = barrier.awaitAsync();
    Actor<Boolean> d = world().call("d", barrier::await);
    assertThat(barrier.waiting()).isEqualTo(2);
    assertThat(a.result()).isFalse();
    assertThat(b.join()).isFalse();
    assertThat(c.isDone()).isFalse();
    assertThat(d.isWaiting()).isTrue();
    assertThat(barrier.generation()).isEqualTo(1);
    assertThat(barrier.await(Duration.ZERO)).isTrue();
    assertThat(c.join()).isFalse();
    assertThat(d.result()).isFalse();
    assertThat(barrier.generation()).isEqualTo(2);
  }

  @Test
  void case85_anArrivalGivenUpBeforeTheLastIsWithdrawnAndBreaksNobody() throws Exception {
    Barrier barrier = Barrier.of(6);
    Actor<Boolean> interrupted = world().call("interrupted", barrier::await);
    Actor<Boolean> timed = world().call("timed", () -> barrier.await(SHORT));
    CompletableFuture<Boolean> cancelled = barrier.awaitAsync();
    CompletableFuture<Boolean> completed = barrier.awaitAsync();
    Actor<Boolean> patient = world().call("patient", barrier::await);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining("withdrawn");
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(completed.complete(false)).isTrue();
    assertThat(barrier.waiting()).isEqualTo(1);
    List<CompletableFuture<Boolean>> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      others.add(barrier.awaitAsync());
    }
    assertThat(patient.isDone()).isFalse();
    assertThat(barrier.generation()).isZero();
    assertThat(barrier.await()).isTrue();
    assertThat(patient.result()).isFalse();
    assertThat(others).allMatch(CompletableFuture::isDone);
    assertThat(barrier.generation()).isEqualTo(1);
  }

  @Test
  void case85_anInterruptAfterTheLastIsTooLate() throws Exception {
    Barrier barrier = Barrier.of(3);
    Actor<Boolean> late = world().call("late", barrier::await);
    Actor<Boolean> other = world().call("other", barrier::await);
    assertThat(barrier.await()).isTrue();
    late.interrupt();
    assertThat(late.result()).isFalse();
    assertThat(other.result()).isFalse();
    assertThat(barrier.waiting()).isZero();
    assertThat(barrier.generation()).isEqualTo(1);
  }

  @Test
  void case85_aFutureCancelledByTheCallbackOfAnotherIsTooLateForTheRound() throws Exception {
    Barrier barrier = Barrier.of(3);
    List<CompletableFuture<Boolean>> futures = new ArrayList<>();
    futures.add(barrier.awaitAsync());
    futures.add(barrier.awaitAsync());
    CompletableFuture<Boolean> cancelled = futures.getFirst().thenApply(leader -> futures.getLast().cancel(false));
    assertThat(barrier.await()).isTrue();
    assertThat(cancelled.join()).isTrue();
    assertThat(futures.getLast().isCancelled()).isTrue();
    assertThat(barrier.waiting()).isZero();
    assertThat(barrier.generation()).isEqualTo(1);
  }

  @Test
  void anInterruptedCallerDoesNotArrive() {
    Barrier barrier = Barrier.of(1);
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(barrier::await, () -> barrier.await(LONG), () -> barrier.await(Duration.ZERO))) {
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
    assertThat(barrier.generation()).isZero();
  }

  @Test
  void anUninterruptibleArrivalStaysAndKeepsTheInterrupt() {
    Barrier barrier = Barrier.of(2);
    Actor<Boolean> waiter = world().call("waiter", barrier::awaitUninterruptibly);
    waiter.interrupt();
    world().settle();
    assertThat(barrier.waiting()).isEqualTo(1);
    assertThat(barrier.awaitUninterruptibly()).isTrue();
    assertThat(waiter.result()).isFalse();
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void whoMayNotWaitArrivesOnlyAsTheLast() {
    Barrier barrier = Barrier.of(2);
    assertThatThrownBy(() -> barrier.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> barrier.await(Duration.ofSeconds(-1))).isInstanceOf(TimeoutException.class);
    assertThat(barrier.awaitAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    assertThat(barrier.waiting()).isZero();
    CompletableFuture<Boolean> endless = barrier.awaitAsync(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(barrier.awaitAsync(Duration.ZERO).join()).isTrue();
    assertThat(endless.join()).isFalse();
  }

  @Test
  void aFutureTimesOutAndIsWithdrawn() {
    Barrier barrier = Barrier.of(2);
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Boolean> future = barrier.awaitAsync(SHORT);
                  Event ended = new Event();
                  future.whenComplete((leader, failure) -> ended.set());
                  ended.await();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class).hasMessageContaining("withdrawn");
    assertThat(barrier.waiting()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void badInputIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> Barrier.of(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not 0");
    assertThatThrownBy(() -> Barrier.of(-3)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not -3");
    Barrier barrier = Barrier.of(1);
    assertThatThrownBy(() -> barrier.await(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> barrier.awaitAsync(null)).isInstanceOf(NullPointerException.class);
    assertThat(barrier.generation()).isZero();
  }
}
