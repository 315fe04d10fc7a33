// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.world.Actor;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waiting and order. */
class SemaphoreOrderTest extends InEveryWorld {

  @Test
  void case10_zeroPermitsSucceedWhenEmptyAndWhenOthersQueueAndFailOnlyIfClosed() throws Exception {
    Semaphore s = Semaphore.of(1);
    s.acquire();
    s.acquire(0);
    assertThat(s.tryAcquire(0)).isTrue();
    Actor<Void> waiter = acquirer(s, 1);
    assertThat(s.waiting()).isEqualTo(1);
    s.acquire(0);
    assertThat(s.tryAcquire(0)).isTrue();
    assertThat(s.tryAcquire(0, SHORT)).isTrue();
    assertThat(s.acquireAsync(0).join().count()).isZero();
    assertThat(s.hold(0).count()).isZero();
    s.close();
    assertThat(waiter.failure()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> s.acquire(0)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> s.tryAcquire(0)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> s.tryAcquire(0, SHORT)).isInstanceOf(ClosedException.class);
  }

  @Test
  void case11_aPermitIsHandedOverDirectly() throws Exception {
    Semaphore s = Semaphore.of(1);
    s.acquire();
    Actor<Void> second = acquirer(s, 1);
    assertThat(second.isWaiting()).isTrue();
    s.release();
    assertThat(s.available()).isZero();
    assertThat(s.tryAcquire()).isFalse();
    second.result();
    assertThat(s.available()).isZero();
    s.release();
    assertThat(s.available()).isEqualTo(1);
  }

  @Test
  void case13_threeReleasesServeThreeWaitersInOrder() {
    Semaphore s = Semaphore.unbounded(0);
    List<Actor<Void>> waiters = IntStream.range(0, 3).mapToObj(i -> acquirer(s, 1)).toList();
    for (int i = 0; i < 3; i++) {
      s.release();
      waiters.get(i).result();
      assertThat(waiters.stream().filter(Actor::isDone).count()).isEqualTo(i + 1);
    }
  }

  @Test
  void case14_oneReleaseOfThreeServesThreeWaiters() {
    Semaphore s = Semaphore.unbounded(0);
    List<Actor<Void>> waiters = IntStream.range(0, 3).mapToObj(i -> acquirer(s, 1)).toList();
    s.release(3);
    assertThat(s.waiting()).isZero();
    waiters.forEach(Actor::result);
    assertThat(s.available()).isZero();
  }

  @Test
  void case15_aRequestOfTwoIsServedOnceBothAreThere() {
    Semaphore s = Semaphore.unbounded(0);
    Actor<Void> two = acquirer(s, 2);
    s.release();
    world().settle();
    assertThat(two.isDone()).isFalse();
    assertThat(s.snapshot().reserved()).isEqualTo(1);
    s.release();
    two.result();
  }

  @Test
  void case16_whatIsFreeStaysReservedForTheHead() {
    Semaphore s = Semaphore.unbounded(9);
    Actor<Void> ten = acquirer(s, 10);
    Actor<Void> one = acquirer(s, 1);
    world().settle();
    assertThat(one.isDone()).isFalse();
    assertThat(s.tryAcquire(1)).isFalse();
    assertThat(s.available()).isZero();
    Semaphore.Snapshot now = s.snapshot();
    assertThat(now.reserved()).isEqualTo(9);
    assertThat(now.waiting()).extracting(Semaphore.Waiting::permits).containsExactly(10L, 1L);
    assertThat(now.waiting()).allSatisfy(w -> assertThat(w.who()).isNotBlank());
    s.release();
    ten.result();
    assertThat(one.isDone()).isFalse();
    s.release();
    one.result();
  }

  @Test
  void case17_aLargeRequestIsServedBeforeAnySmallOneThatCameLater() throws Exception {
    int n = 4;
    Semaphore s = Semaphore.of(n);
    s.acquire(n);
    Actor<Void> large = acquirer(s, n);
    List<CompletableFuture<Permit>> again = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      assertThat(large.isDone()).isFalse();
      s.release();
      assertThat(s.tryAcquire()).isFalse();
      again.add(s.acquireAsync());
    }
    large.result();
    assertThat(again).noneMatch(CompletableFuture::isDone);
    s.release(n);
    assertThat(again).allMatch(CompletableFuture::isDone);
  }

  @Test
  void case17_holdersThatLoopDoNotStarveALargeRequest() throws Exception {
    assumeTrue(kind != Worlds.STEPPED, "needs tasks that run at the same time");
    int n = 4;
    Semaphore s = Semaphore.of(n);
    AtomicBoolean served = new AtomicBoolean();
    List<Actor<Object>> small = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      small.add(
          world()
              .launch(
                  "small",
                  () -> {
                    while (!served.get()) {
                      s.withPermit(() -> {});
                    }
                    return null;
                  }));
    }
    try {
      assertThat(s.tryAcquire(n, World.PATIENCE)).isTrue();
      s.release(n);
    } finally {
      served.set(true);
    }
    small.forEach(Actor::result);
    assertThat(s.available()).isEqualTo(n);
  }

  @Test
  void case18_aRequestAboveTheLimitFailsAtOnceAndHarmsNobody() {
    Semaphore s = Semaphore.of(2);
    assertThatThrownBy(() -> s.acquire(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 permits can never be granted")
        .hasMessageContaining("limit is 2");
    assertThatThrownBy(() -> s.tryAcquire(3, LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> s.acquireUninterruptibly(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> s.acquireAsync(3).join()).hasCauseInstanceOf(IllegalArgumentException.class);
    List<Actor<Void>> six = IntStream.range(0, 6).mapToObj(i -> acquirer(s, 1)).toList();
    assertThatThrownBy(() -> s.acquire(3)).isInstanceOf(IllegalArgumentException.class);
    for (int i = 0; i < 6; i++) {
      six.get(i).result();
      s.release();
    }
    assertThat(s.available()).isEqualTo(2);
  }

  @Test
  void case20_neverMoreThanTenInUse() {
    Semaphore s = Semaphore.of(10);
    AtomicLong inUse = new AtomicLong();
    together(
        2,
        () -> {
          for (int i = 0; i < 300; i++) {
            for (int n : new int[] {4, 10, 8}) {
              s.acquire(n);
              assertThat(inUse.addAndGet(n)).isLessThanOrEqualTo(10);
              inUse.addAndGet(-n);
              s.release(n);
            }
          }
        });
    assertThat(s.available()).isEqualTo(10);
  }

  @Test
  void case21_aThousandTasksOnFivePermitsEndExact() {
    Semaphore s = Semaphore.of(5);
    AtomicLong inUse = new AtomicLong();
    together(
        1000,
        () ->
            s.withPermit(
                () -> {
                  assertThat(inUse.incrementAndGet()).isLessThanOrEqualTo(5);
                  // A switch point, so that others can come while the permit is held.
                  assertThat(s.isClosed()).isFalse();
                  inUse.decrementAndGet();
                }));
    assertThat(s.available()).isEqualTo(5);
    assertThat(s.waiting()).isZero();
  }

  @Test
  void case22_aWaiterTakesItsShareAndTheRestIsFree() {
    Semaphore s = Semaphore.unbounded(5);
    Actor<Void> seven = acquirer(s, 7);
    s.release(5);
    seven.result();
    assertThat(s.available()).isEqualTo(3);
    assertThat(s.forget(3)).isEqualTo(3);
    assertThat(s.available()).isZero();
  }

  @Test
  void case23_concurrentReleaseTryAndForgetAddUp() {
    world().takeTurns();
    for (int round = 0; round < 200; round++) {
      Semaphore s = Semaphore.unbounded(5);
      Actor<Boolean> release =
          world()
              .launch(
                  "release",
                  () -> {
                    s.release(3);
                    return true;
                  });
      Actor<Boolean> take = world().launch("try", s::tryAcquire);
      Actor<Long> forget = world().launch("forget", () -> s.forget(2));
      assertThat(release.result()).isTrue();
      assertThat(take.result()).isTrue();
      assertThat(forget.result()).isEqualTo(2);
      assertThat(s.available()).isEqualTo(5);
    }
  }

  @Test
  void case24_requestsOfDifferentSizeAreGrantedInCallOrder() {
    Semaphore s = Semaphore.unbounded(0);
    int[] needs = {1, 3, 2, 1};
    List<Actor<Void>> waiters = IntStream.of(needs).mapToObj(n -> acquirer(s, n)).toList();
    for (int i = 0; i < needs.length; i++) {
      for (int k = 0; k < needs[i]; k++) {
        assertThat(waiters.stream().filter(Actor::isDone).count()).isEqualTo(i);
        s.release();
      }
      waiters.get(i).result();
    }
  }

  @Test
  void case24_onePermitVisitsTheWaitersInCallOrder() {
    Semaphore s = Semaphore.unbounded(0);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int id = i;
      waiters.add(world().start("waiter " + i, () -> s.withPermit(() -> order.add(id))));
    }
    s.release();
    waiters.forEach(Actor::result);
    assertThat(order).isEqualTo(IntStream.range(0, 50).boxed().toList());
  }

  @Test
  void case50_aBlockingAcquireSuspendsItsOwnTaskOnly() {
    Semaphore s = Semaphore.unbounded(0);
    Actor<Void> blocked = acquirer(s, 1);
    Actor<String> other = world().call("other", () -> "went on");
    assertThat(other.result()).isEqualTo("went on");
    assertThat(blocked.isDone()).isFalse();
    s.release();
    blocked.result();
  }

  @Test
  void case124_tasksOfDifferentHostsStandInOneQueue() {
    World stepped = Worlds.STEPPED.create();
    Semaphore s = Semaphore.unbounded(0);
    Actor<Void> first = acquirer(s, 1);
    Actor<Void> second = stepped.start("stepped", () -> s.acquire());
    Actor<Void> third = acquirer(s, 1);
    s.release();
    first.result();
    assertThat(s.waiting()).isEqualTo(2);
    s.release();
    second.result();
    assertThat(third.isDone()).isFalse();
    s.release();
    third.result();
  }
}
