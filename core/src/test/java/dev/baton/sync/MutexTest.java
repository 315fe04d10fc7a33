// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class MutexTest extends InEveryWorld {
  private final Mutex mutex = new Mutex();
  private int counter;

  @Test
  void case51_lockTryUnlockTry() throws Exception {
    mutex.lock();
    assertThat(mutex.tryLock()).isFalse();
    assertThat(mutex.tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(mutex.tryLock(Duration.ZERO)).isFalse();
    mutex.unlock();
    assertThat(mutex.tryLock()).isTrue();
    assertThat(mutex.isHeldByCurrentThread()).isTrue();
    mutex.unlock();
    assertThat(mutex.isHeldByCurrentThread()).isFalse();
  }

  @Test
  void case52_theLockIsHandedOverWithoutEverBeingFree() {
    mutex.lock();
    Actor<Boolean> second = world().call("second", this::lockAndTell);
    assertThat(second.isWaiting()).isTrue();
    assertThat(mutex.waiting()).isEqualTo(1);
    mutex.unlock();
    assertThat(mutex.isLocked()).isTrue();
    assertThat(mutex.tryLock()).isFalse();
    assertThat(second.result()).isTrue();
    assertThat(mutex.isLocked()).isTrue();
  }

  private boolean lockAndTell() {
    mutex.lock();
    return mutex.isHeldByCurrentThread();
  }

  @Test
  void case53_threeWaitersGetTheLockInOrder() {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    mutex.lock();
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int id = i;
      waiters.add(
          world()
              .start(
                  "waiter " + i,
                  () -> {
                    try (Guard guard = mutex.guard()) {
                      assertThat(guard.toString()).contains("locked by");
                      order.add(id);
                    }
                  }));
    }
    mutex.unlock();
    waiters.forEach(Actor::result);
    assertThat(order).containsExactly(0, 1, 2);
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void case54_leavingTheGuardsBlockUnlocks() {
    Actor<Void> thrower =
        world()
            .start(
                "thrower",
                () -> {
                  try (Guard guard = mutex.guard()) {
                    throw new IllegalStateException(guard + " left by exception");
                  }
                });
    assertThat(thrower.failure()).hasMessageContaining("left by exception");
    assertThat(mutex.isLocked()).isFalse();
    Semaphore never = Semaphore.unbounded(0);
    Actor<Void> cancelled =
        world()
            .start(
                "cancelled",
                () -> {
                  try (Guard guard = mutex.guard()) {
                    assertThat(guard).isNotNull();
                    never.acquire();
                  }
                });
    assertThat(mutex.isLocked()).isTrue();
    cancelled.interrupt();
    assertThat(cancelled.failure()).isInstanceOf(InterruptedException.class);
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void case55_aWaitThatEndsEarlyHarmsNobody() {
    mutex.lock();
    Actor<Boolean> timed = world().call("timed", () -> mutex.tryLock(SHORT));
    Actor<Boolean> timedUnits = world().call("timed", () -> mutex.tryLock(20, TimeUnit.MILLISECONDS));
    Actor<Guard> timedGuard = world().call("timed", () -> mutex.guard(SHORT));
    Actor<Void> interrupted = world().start("interrupted", mutex::lockInterruptibly);
    Actor<Boolean> patient = world().call("patient", () -> mutex.tryLock(LONG));
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    assertThat(timedUnits.result()).isFalse();
    assertThat(timedGuard.failure()).isInstanceOf(TimeoutException.class);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(mutex.waiting()).isEqualTo(1);
    mutex.unlock();
    assertThat(patient.result()).isTrue();
  }

  @Test
  void case56_onlyTheOwnerMayUnlock() {
    assertThatThrownBy(mutex::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("unlocked");
    mutex.lock();
    Actor<Void> stranger = world().start("stranger", mutex::unlock);
    assertThat(stranger.failure())
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("locked by");
    assertThat(mutex.isHeldByCurrentThread()).isTrue();
    mutex.unlock();
  }

  @Test
  void case56_lockingAgainIsAnErrorNotADeadlock() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  mutex.lock();
                  assertSelfLockRefused();
                  mutex.unlock();
                  try (Guard guard = mutex.guard()) {
                    assertThat(guard).isNotNull();
                    assertThat(mutex.isHeldByCurrentThread()).isTrue();
                    assertSelfLockRefused();
                  }
                });
    owner.result();
    assertThat(mutex.isLocked()).isFalse();
    assertThat(mutex.waiting()).isZero();
  }

  private void assertSelfLockRefused() {
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(
            mutex::lock,
            mutex::lockInterruptibly,
            mutex::guard,
            () -> mutex.tryLock(LONG),
            () -> mutex.tryLock(1, TimeUnit.HOURS),
            () -> mutex.guard(LONG))) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalMonitorStateException.class)
          .hasMessageContaining("not reentrant");
      assertThat(mutex.isHeldByCurrentThread()).isTrue();
    }
  }

  @Test
  void case58_incrementsUnderTheLockAreNotLost() {
    int tasks = 50;
    int increments = 40;
    together(
        tasks,
        () -> {
          for (int k = 0; k < increments; k++) {
            mutex.lock();
            int before = counter;
            // A switch point, so that another task could come between reading and writing.
            assertThat(mutex.isHeldByCurrentThread()).isTrue();
            counter = before + 1;
            mutex.unlock();
          }
        });
    assertThat(counter).isEqualTo(tasks * increments);
  }

  @Test
  void case59_toStringTellsTheState() throws Exception {
    assertThat(mutex.toString()).contains("unlocked");
    mutex.lock();
    Actor<Void> waiter = world().start("waiter", mutex::lockInterruptibly);
    assertThat(mutex.toString()).contains("locked by").doesNotContain("unlocked");
    waiter.interrupt();
    assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
    mutex.unlock();
    try (Guard guard = mutex.lockAsync().join()) {
      assertThat(guard.toString()).contains("locked by a guard");
    }
  }

  @Test
  void lockIgnoresInterruptsAndKeepsThem() {
    mutex.lock();
    Actor<Boolean> waiter = world().call("waiter", this::lockAndTell);
    waiter.interrupt();
    world().settle();
    assertThat(mutex.waiting()).isEqualTo(1);
    mutex.unlock();
    assertThat(waiter.result()).isTrue();
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void anInterruptedCallerTakesNothing() {
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(
            mutex::lockInterruptibly, mutex::guard, () -> mutex.tryLock(LONG), () -> mutex.tryLock(Duration.ZERO))) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
      assertThat(mutex.isLocked()).isFalse();
    }
  }

  @Test
  void tryGuardHoldsOrIsEmpty() {
    Optional<Guard> held = mutex.tryGuard();
    assertThat(held).isPresent();
    assertThat(mutex.tryGuard()).isEmpty();
    held.get().close();
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void withLockUnlocksHoweverTheBodyEnds() throws Exception {
    assertThat(mutex.withLock(() -> mutex.isHeldByCurrentThread())).isTrue();
    assertThatThrownBy(
            () ->
                mutex.withLock(
                    () -> {
                      throw new java.io.IOException("as it is");
                    }))
        .isInstanceOf(java.io.IOException.class);
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void aGuardUnlocksOnceAndOnlyItsOwnHold() throws Exception {
    Guard first = mutex.guard();
    first.close();
    first.close();
    assertThat(mutex.isLocked()).isFalse();
    Guard second = mutex.guard();
    first.close();
    assertThat(mutex.isLocked()).isTrue();
    mutex.unlock();
    assertThat(mutex.isLocked()).isFalse();
    mutex.lock();
    second.close();
    assertThat(mutex.isLocked()).isTrue();
    mutex.unlock();
  }

  @Test
  void anAsyncLockBelongsToItsGuard() throws Exception {
    CompletableFuture<Guard> now = mutex.lockAsync();
    assertThat(now.isDone()).isTrue();
    assertThat(mutex.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
    CompletableFuture<Guard> later = mutex.lockAsync();
    Actor<Boolean> third = world().call("third", this::lockAndTell);
    assertThat(later.isDone()).isFalse();
    now.join().close();
    assertThat(later.isDone()).isTrue();
    world().start("closer", () -> later.join().close()).result();
    assertThat(third.result()).isTrue();
  }

  @Test
  void aCancelledAsyncLockGoesToTheNext() throws Exception {
    mutex.lock();
    CompletableFuture<Guard> cancelled = mutex.lockAsync();
    Actor<Boolean> next = world().call("next", this::lockAndTell);
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(mutex.waiting()).isEqualTo(1);
    mutex.unlock();
    assertThat(next.result()).isTrue();
    assertThat(mutex.lockAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    assertThat(mutex.waiting()).isZero();
  }

  @Test
  void anAsyncLockTimesOut() {
    mutex.lock();
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Guard> future = mutex.lockAsync(SHORT);
                  Semaphore ended = Semaphore.unbounded(0);
                  future.whenComplete((guard, failure) -> ended.release());
                  ended.acquire();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class);
    assertThat(mutex.waiting()).isZero();
    mutex.unlock();
  }
}
