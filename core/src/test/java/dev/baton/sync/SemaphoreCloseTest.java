// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing, resizing with waiters, bodies. */
class SemaphoreCloseTest extends InEveryWorld {

  @Test
  void case38_everyAcquireOfAClosedSemaphoreFails() throws Exception {
    Semaphore s = Semaphore.of(8);
    s.acquire(3);
    s.close();
    assertThat(s.available()).isZero();
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(
            s::acquire,
            () -> s.acquire(2),
            () -> s.acquire(9),
            s::acquireUninterruptibly,
            () -> s.acquireUninterruptibly(2),
            s::tryAcquire,
            () -> s.tryAcquire(2),
            () -> s.tryAcquire(9),
            () -> s.tryAcquire(SHORT),
            () -> s.tryAcquire(2, Duration.ZERO),
            s::hold,
            s::tryHold,
            () -> s.withPermit(() -> {}),
            () -> s.resize(9))) {
      assertThatThrownBy(call::run).isInstanceOf(ClosedException.class).hasMessageContaining("closed");
    }
    assertThat(s.acquireAsync().exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(s.acquireAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(s.snapshot().held()).isEqualTo(3);
    s.release();
    s.release(2);
    assertThat(s.snapshot().held()).isZero();
    assertThatThrownBy(s::release).isInstanceOf(IllegalStateException.class);
    assertThat(s.available()).isZero();
  }

  @Test
  void case39_waitersOfAClosedSemaphoreAreWoken() throws Exception {
    Semaphore s = Semaphore.of(2);
    s.acquire(2);
    Actor<Void> one = acquirer(s, 1);
    Actor<Void> two = acquirer(s, 2);
    CompletableFuture<Permit> future = s.acquireAsync();
    s.close();
    assertThat(one.failure()).isInstanceOf(ClosedException.class);
    assertThat(two.failure()).isInstanceOf(ClosedException.class);
    assertThat(future.exceptionNow()).isInstanceOf(ClosedException.class);
    s.release();
    assertThat(s.snapshot().held()).isEqualTo(1);
    s.release();
    assertThat(s.snapshot().held()).isZero();
    assertThat(s.waiting()).isZero();
  }

  @Test
  void case40_closeAgainstAcquireAndReleaseEndsEveryCall() {
    int rounds = kind == Worlds.STEPPED ? 20 : 500;
    for (int round = 0; round < rounds; round++) {
      Semaphore s = Semaphore.of(1);
      AtomicInteger granted = new AtomicInteger();
      List<Actor<Object>> workers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        workers.add(
            world()
                .launch(
                    "worker",
                    () -> {
                      try {
                        s.acquire();
                        granted.incrementAndGet();
                        s.release();
                        return "granted";
                      } catch (ClosedException e) {
                        return "closed";
                      }
                    }));
      }
      s.close();
      workers.forEach(w -> assertThat(w.result()).isIn("granted", "closed"));
      assertThat(s.snapshot().held()).isZero();
      assertThat(s.waiting()).isZero();
    }
  }

  @Test
  void case41_closingTwiceIsClosingOnce() {
    Semaphore s = Semaphore.of(2);
    assertThat(s.tryAcquire()).isTrue();
    s.close();
    Semaphore.Snapshot once = s.snapshot();
    s.close();
    assertThat(s.snapshot()).isEqualTo(once);
    assertThat(s.isClosed()).isTrue();
  }

  @Test
  void case42_whoWasGrantedBeforeKeepsItsPermits() throws Exception {
    Semaphore s = Semaphore.of(1);
    s.acquire();
    Actor<Void> waiter = acquirer(s, 1);
    s.release();
    // Granted, though by hand it has not run yet.
    s.close();
    waiter.result();
    assertThat(s.snapshot().held()).isEqualTo(1);
    s.release();
    assertThat(s.snapshot().held()).isZero();
  }

  @Test
  void case47_aBodyThatThrowsOrReturnsGivesThePermitBack() throws Exception {
    Semaphore s = Semaphore.of(2);
    assertThat(s.withPermit(() -> "value")).isEqualTo("value");
    assertThat(s.withPermit(2, () -> s.available())).isZero();
    assertThatThrownBy(
            () ->
                s.withPermit(
                    () -> {
                      throw new java.io.IOException("as it is");
                    }))
        .isInstanceOf(java.io.IOException.class);
    assertThatThrownBy(
            () ->
                s.withPermit(
                    2,
                    () -> {
                      throw new IllegalStateException("body");
                    }))
        .hasMessage("body");
    assertThat(s.available()).isEqualTo(2);
  }

  @Test
  void growingServesTheQueueAtOnce() throws Exception {
    Semaphore s = Semaphore.of(3);
    s.acquire(3);
    Actor<Void> two = acquirer(s, 2);
    Actor<Void> one = acquirer(s, 1);
    s.resize(4);
    world().settle();
    assertThat(two.isDone()).isFalse();
    assertThat(s.snapshot().reserved()).isEqualTo(1);
    s.resize(6);
    two.result();
    one.result();
    assertThat(s.available()).isZero();
  }

  @Test
  void shrinkingRefusesQueuedRequestsThatCanNeverFit() throws Exception {
    Semaphore s = Semaphore.of(3);
    s.acquire(3);
    Actor<Void> three = acquirer(s, 3);
    Actor<Void> one = acquirer(s, 1);
    s.resize(2);
    assertThat(three.failure())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 permits can never be granted");
    assertThat(one.isDone()).isFalse();
    s.release();
    world().settle();
    assertThat(one.isDone()).as("the first permit back pays the debt").isFalse();
    s.release();
    one.result();
  }

  @Test
  void aSnapshotTellsWhoWaitsForHowManySinceWhen() throws Exception {
    Semaphore s = Semaphore.of(5);
    s.acquire(3);
    Actor<Void> four = acquirer(s, 4);
    s.acquireAsync(1);
    world().pass(SHORT);
    Semaphore.Snapshot now = s.snapshot();
    assertThat(now.limit()).isEqualTo(5);
    assertThat(now.free()).isZero();
    assertThat(now.reserved()).isEqualTo(2);
    assertThat(now.held()).isEqualTo(3);
    assertThat(now.waiting()).hasSize(2);
    assertThat(now.waiting().getFirst().who()).contains("acquire 4");
    assertThat(now.waiting().getFirst().permits()).isEqualTo(4);
    assertThat(now.waiting().getFirst().waited()).isGreaterThanOrEqualTo(SHORT);
    assertThat(now.waiting().getLast().who()).isEqualTo("future");
    s.release(3);
    four.result();
  }

  @Test
  void theLimitIsNeverNegative() throws Exception {
    Semaphore semaphore = Semaphore.of(10);
    Permit all = semaphore.hold(10);
    semaphore.resize(2);
    semaphore.close();
    all.forget();
    assertThat(semaphore.limit()).isZero();
    assertThat(semaphore.snapshot().limit()).isZero();
  }
}
