// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.world.Actor;
import dev.baton.world.SteppedWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Arrivals that are given up after the last one came. Driven by hand: those who wait have not run in between. */
class BarrierTooLateTest {
  private final SteppedWorld world = new SteppedWorld();
  private final Barrier barrier = Barrier.of(2);

  @Test
  void case85_anInterruptStaysPending() {
    Actor<Boolean> interrupted = world.call("interrupted", barrier::await);
    assertThat(barrier.awaitUninterruptibly()).isTrue();
    interrupted.interrupt();
    CompletableFuture<Boolean> nextRound = barrier.awaitAsync();
    assertThat(interrupted.result()).isFalse();
    assertThat(interrupted.endedInterrupted()).isTrue();
    assertNextRoundWaits(nextRound);
  }

  @Test
  void case85_aTimeOutIsForgotten() {
    Actor<Boolean> timed = world.call("timed", () -> barrier.await(Duration.ofSeconds(1)));
    world.host().advance(Duration.ofSeconds(1).toNanos());
    // The time has come, and the waiter has not looked yet.
    assertThat(barrier.awaitUninterruptibly()).isTrue();
    CompletableFuture<Boolean> nextRound = barrier.awaitAsync();
    assertThat(timed.result()).isFalse();
    assertNextRoundWaits(nextRound);
  }

  @Test
  void case85_aCancelledFutureIsAloneInIt() {
    CompletableFuture<Boolean> cancelled = world.call("asker", () -> barrier.awaitAsync()).result();
    DeepCallbacks.run(
        () -> {
          assertThat(barrier.awaitUninterruptibly()).isTrue();
          assertThat(cancelled.cancel(false)).isTrue();
        });
    CompletableFuture<Boolean> nextRound = barrier.awaitAsync();
    world.settle();
    assertThat(cancelled.isCancelled()).isTrue();
    assertNextRoundWaits(nextRound);
  }

  private void assertNextRoundWaits(CompletableFuture<Boolean> nextRound) {
    assertThat(barrier.generation()).isEqualTo(1);
    assertThat(barrier.waiting()).isEqualTo(1);
    assertThat(nextRound.isDone()).isFalse();
  }
}
