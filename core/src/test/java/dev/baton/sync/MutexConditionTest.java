// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.Hosts;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

@SuppressWarnings("WaitNotInLoop") // what is tested is one wait
class MutexConditionTest extends InEveryWorld {
  private final Mutex mutex = new Mutex();
  private final Condition condition = mutex.newCondition();
  private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

  private Actor<Void> waiter(int id) {
    return world()
        .start(
            "waiter " + id,
            () -> {
              mutex.lock();
              try {
                condition.await();
                order.add(id);
              } finally {
                mutex.unlock();
              }
            });
  }

  @Test
  void signalsReachTheWaitersInOrder() {
    List<Actor<Void>> waiters = List.of(waiter(0), waiter(1), waiter(2));
    for (int i = 0; i < 3; i++) {
      assertThat(waiters.get(i).isDone()).isFalse();
      mutex.lock();
      condition.signal();
      mutex.unlock();
      waiters.get(i).result();
    }
    assertThat(order).containsExactly(0, 1, 2);
    mutex.lock();
    condition.signal();
    mutex.unlock();
  }

  @Test
  void signalAllReachesAllInOrder() {
    List<Actor<Void>> waiters = List.of(waiter(0), waiter(1), waiter(2));
    mutex.lock();
    condition.signalAll();
    assertThat(mutex.waiting()).isEqualTo(3);
    mutex.unlock();
    waiters.forEach(Actor::result);
    assertThat(order).containsExactly(0, 1, 2);
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void aSignalledWaiterQueuesBehindThoseWhoWaitForTheLock() {
    Actor<Void> signalled = waiter(0);
    mutex.lock();
    Actor<Void> before =
        world()
            .start(
                "before",
                () -> {
                  mutex.lock();
                  order.add(1);
                  mutex.unlock();
                });
    condition.signal();
    mutex.unlock();
    signalled.result();
    before.result();
    assertThat(order).containsExactly(1, 0);
  }

  @Test
  void anInterruptedWaiterLeavesWithTheLockAndPassesTheSignalOn() {
    Actor<Void> first = waiter(0);
    Actor<Void> second = waiter(1);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    assertThat(first.endedInterrupted()).isFalse();
    mutex.lock();
    condition.signal();
    mutex.unlock();
    second.result();
    assertThat(order).containsExactly(1);
  }

  @Test
  void anInterruptThatComesAfterTheSignalStaysPending() {
    Actor<Void> waiter = waiter(0);
    mutex.lock();
    condition.signal();
    waiter.interrupt();
    mutex.unlock();
    waiter.result();
    assertThat(waiter.endedInterrupted()).isTrue();
    assertThat(order).containsExactly(0);
  }

  @Test
  void aWaiterThatGaveUpButHasNotRunYetIsPassedOver() {
    Actor<Void> first = waiter(0);
    Actor<Void> second = waiter(1);
    mutex.lock();
    first.interrupt();
    world().settle();
    if (kind == Worlds.STEPPED) {
      condition.signal();
      mutex.unlock();
      assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    } else {
      // On threads the signal may still meet the first one; then the second needs its own.
      condition.signalAll();
      mutex.unlock();
    }
    second.result();
    assertThat(mutex.waiting()).isZero();
  }

  @Test
  void timedWaitsEndWithTheLockHeld() {
    Actor<List<Object>> timed =
        world()
            .call(
                "timed",
                () -> {
                  List<Object> results = new ArrayList<>();
                  mutex.lock();
                  results.add(condition.await(SHORT.toNanos(), TimeUnit.NANOSECONDS));
                  results.add(condition.awaitNanos(0) <= 0);
                  results.add(condition.awaitNanos(Long.MIN_VALUE) <= 0);
                  results.add(condition.awaitUntil(new Date(0)));
                  results.add(mutex.isHeldByCurrentThread());
                  mutex.unlock();
                  return results;
                });
    world().pass(SHORT);
    assertThat(timed.result()).containsExactly(false, true, true, false, true);
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void aSignalBeforeTheDeadlineIsReported() {
    Actor<List<Object>> timed =
        world()
            .call(
                "timed",
                () -> {
                  List<Object> results = new ArrayList<>();
                  mutex.lock();
                  results.add(condition.await(1, TimeUnit.HOURS));
                  results.add(condition.awaitNanos(LONG.toNanos()) > 0);
                  results.add(condition.awaitUntil(Date.from(Hosts.current().now().plus(LONG))));
                  mutex.unlock();
                  return results;
                });
    for (int i = 0; i < 3; i++) {
      int round = i;
      // The waiter gives the lock up only when it waits again, so each signal meets a new wait.
      world()
          .start(
              "signal " + round,
              () -> {
                mutex.lock();
                condition.signal();
                mutex.unlock();
              })
          .result();
      world().settle();
      if (kind != Worlds.STEPPED) {
        awaitWaitOrEnd(timed);
      }
    }
    assertThat(timed.result()).containsExactly(true, true, true);
  }

  private void awaitWaitOrEnd(Actor<?> actor) {
    long end = System.nanoTime() + dev.baton.world.World.PATIENCE.toNanos();
    while (!actor.isDone() && !(actor.isWaiting() && !mutex.isLocked()) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheFlag() {
    Actor<Void> waiter =
        world()
            .start(
                "waiter",
                () -> {
                  mutex.lock();
                  condition.awaitUninterruptibly();
                  mutex.unlock();
                });
    waiter.interrupt();
    world().settle();
    assertThat(waiter.isDone()).isFalse();
    mutex.lock();
    condition.signal();
    mutex.unlock();
    waiter.result();
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void aGuardIsStillTheOwnerAfterAWait() {
    Actor<Boolean> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  try (Guard guard = mutex.guard()) {
                    condition.await();
                    return mutex.isHeldByCurrentThread() && guard.toString().contains("locked by");
                  }
                });
    mutex.lock();
    condition.signal();
    mutex.unlock();
    assertThat(waiter.result()).isTrue();
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void onlyTheOwnerMayWaitOrSignal() throws Exception {
    List<VoidBody<Exception>> calls =
        List.of(
            condition::await,
            condition::awaitUninterruptibly,
            () -> condition.awaitNanos(1),
            condition::signal,
            condition::signalAll);
    for (VoidBody<Exception> call : calls) {
      assertThatThrownBy(call::run).isInstanceOf(IllegalMonitorStateException.class);
    }
    try (Guard guard = mutex.lockAsync().join()) {
      for (VoidBody<Exception> call : calls) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalMonitorStateException.class);
      }
      assertThat(guard).isNotNull();
    }
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void anInterruptedCallerDoesNotGiveTheLockUp() {
    Actor<Boolean> caller =
        world()
            .call(
                "interrupted",
                () -> {
                  mutex.lock();
                  Thread.currentThread().interrupt();
                  try {
                    condition.await();
                    return false;
                  } catch (InterruptedException e) {
                    return mutex.isHeldByCurrentThread();
                  } finally {
                    mutex.unlock();
                  }
                });
    assertThat(caller.result()).isTrue();
  }
}
