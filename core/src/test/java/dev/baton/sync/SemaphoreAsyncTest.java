// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.SteppedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures, whose callbacks run on whichever thread releases. */
@Timeout(60)
class SemaphoreAsyncTest {

  @Test
  void tenThousandChainedWaitersDoNotOverflowTheStack() throws Exception {
    int waiters = 10_000;
    Semaphore s = Semaphore.of(1);
    Permit held = s.hold();
    CountDownLatch served = new CountDownLatch(waiters);
    for (int i = 0; i < waiters; i++) {
      s.acquireAsync()
          .thenAccept(
              permit -> {
                permit.close();
                served.countDown();
              });
    }
    held.close();
    assertThat(served.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(s.tryAcquire(Duration.ofSeconds(30))).isTrue();
    assertThat(s.waiting()).isZero();
  }

  @Test
  void chainedCallbacksRunInOrder() throws Exception {
    int waiters = 500;
    Semaphore s = Semaphore.of(1);
    Permit held = s.hold();
    List<Integer> order = new ArrayList<>();
    CountDownLatch served = new CountDownLatch(waiters);
    for (int i = 0; i < waiters; i++) {
      int id = i;
      s.acquireAsync()
          .thenAccept(
              permit -> {
                order.add(id);
                permit.close();
                served.countDown();
              });
    }
    held.close();
    assertThat(served.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(order).hasSize(waiters).isSorted();
  }

  @Test
  void aCallbackMayWaitForTheNextOne() throws Exception {
    Semaphore s = Semaphore.of(1);
    Permit held = s.hold();
    List<CompletableFuture<Permit>> futures = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      futures.add(s.acquireAsync());
    }
    for (int i = 0; i < 39; i++) {
      CompletableFuture<Permit> next = futures.get(i + 1);
      futures
          .get(i)
          .thenAccept(
              permit -> {
                permit.close();
                assertThat(next.join()).isNotNull();
              });
    }
    held.close();
    futures.getLast().get(30, TimeUnit.SECONDS).close();
    assertThat(s.tryAcquire(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void aThrowingCallbackLosesNoPermitAndSkipsNobody() throws Exception {
    Semaphore s = Semaphore.of(2);
    s.acquire(2);
    CompletableFuture<Permit> first = s.acquireAsync();
    CompletableFuture<Permit> second = s.acquireAsync();
    CompletableFuture<Object> broken =
        first.thenApply(
            permit -> {
              throw new IllegalStateException("callback");
            });
    s.release(2);
    assertThat(second.isDone()).isTrue();
    assertThatThrownBy(broken::join).hasRootCauseMessage("callback");
    first.join().close();
    second.join().close();
    assertThat(s.available()).isEqualTo(2);
  }

  @Test
  void aLateGrantGoesBackWhenTheUserWasFirst() {
    for (int round = 0; round < 2_000; round++) {
      Semaphore s = Semaphore.of(1);
      assertThat(s.tryAcquire()).isTrue();
      CompletableFuture<Permit> future = s.acquireAsync();
      Thread releaser = Thread.ofVirtual().start(s::release);
      boolean mine = future.completeExceptionally(new IllegalStateException("changed my mind"));
      join(releaser);
      if (!mine) {
        future.join().close();
      }
      assertThat(s.available()).isEqualTo(1);
    }
  }

  @Test
  void timersOfGrantedAndCancelledFuturesAreWithdrawn() {
    SteppedWorld world = new SteppedWorld();
    Semaphore s = Semaphore.unbounded(0);
    List<CompletableFuture<Permit>> futures = new ArrayList<>();
    world
        .call(
            "asker",
            () -> futures.addAll(List.of(s.acquireAsync(Duration.ofHours(1)), s.acquireAsync(Duration.ofHours(1)))))
        .result();
    assertThat(world.host().alarms()).isEqualTo(2);
    s.release();
    assertThat(futures.getFirst().isDone()).isTrue();
    assertThat(world.host().alarms()).isEqualTo(1);
    futures.getLast().cancel(true);
    assertThat(world.host().alarms()).isZero();
  }

  @Test
  void aCancelledFutureIsCompletedBeforeTheNextIsServed() throws Exception {
    Semaphore s = Semaphore.of(2);
    s.acquire();
    CompletableFuture<Permit> two = s.acquireAsync(2);
    CompletableFuture<Boolean> seen = s.acquireAsync().thenApply(permit -> two.isCancelled());
    two.cancel(false);
    assertThat(seen.getNow(false)).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void nullIsRefusedAndTheRequestStays() throws Exception {
    Semaphore s = Semaphore.of(1);
    s.acquire();
    CompletableFuture<Permit> future = s.acquireAsync();
    assertThatThrownBy(() -> future.completeExceptionally(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> future.obtrudeException(null)).isInstanceOf(NullPointerException.class);
    assertThat(s.waiting()).isEqualTo(1);
    s.release();
    assertThat(future.isDone()).isTrue();
  }

  @Test
  void aFutureThatTimesOutSaysSo() throws Exception {
    Semaphore s = Semaphore.of(1);
    s.acquire();
    assertThatThrownBy(() -> s.acquireAsync(Duration.ofMillis(5)).get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class)
        .hasMessageContaining("nothing is held");
    assertThat(s.waiting()).isZero();
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
