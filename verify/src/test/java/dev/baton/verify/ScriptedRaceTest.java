// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Races with one outcome, each driven to the very step where the two sides meet: at the point where a waiter falls asleep. */
class ScriptedRaceTest {

  @Test
  void aTimeOutThatMeetsAGrantKeepsTheGrant() {
    Semaphore semaphore = Semaphore.of(1);
    assertThat(semaphore.tryAcquire()).isTrue();
    AtomicReference<@Nullable Boolean> result = new AtomicReference<>();
    Throwable thrown =
        sleepingWith(semaphore::release, () -> result.set(semaphore.tryAcquire(Duration.ofNanos(1))));
    assertThat(thrown).isNull();
    assertThat(result.get()).isTrue();
    assertThat(semaphore.available()).isZero();
  }

  @Test
  void anInterruptThatMeetsAGrantWinsAndThePermitGoesOn() {
    Semaphore semaphore = Semaphore.of(1);
    assertThat(semaphore.tryAcquire()).isTrue();
    Throwable thrown =
        sleepingWith(
            () -> {
              semaphore.release();
              Thread.currentThread().interrupt();
            },
            semaphore::acquire);
    assertThat(thrown).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(semaphore.available()).isEqualTo(1);
  }

  @Test
  void anInterruptThatMeetsAGrantLeavesAnUninterruptibleWaitWithBoth() {
    Semaphore semaphore = Semaphore.of(1);
    assertThat(semaphore.tryAcquire()).isTrue();
    Throwable thrown =
        sleepingWith(
            () -> {
              Thread.currentThread().interrupt();
              semaphore.release();
            },
            semaphore::acquireUninterruptibly);
    assertThat(thrown).isNull();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(semaphore.available()).isZero();
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // one wait, one outcome
  void anInterruptThatMeetsASignalLeavesTheSignalTakenAndStaysPending() {
    Mutex mutex = new Mutex();
    Condition condition = mutex.newCondition();
    Throwable thrown =
        sleepingWith(
            () -> {
              mutex.lock();
              condition.signal();
              mutex.unlock();
              Thread.currentThread().interrupt();
            },
            () -> {
              mutex.lock();
              condition.await();
              assertThat(mutex.isHeldByCurrentThread()).isTrue();
              mutex.unlock();
            });
    assertThat(thrown).isNull();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void futuresGrantedTogetherCompleteInTheOrderInWhichTheyCame() {
    Semaphore semaphore = Semaphore.of(5);
    semaphore.acquireUninterruptibly(5);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int place = i;
      semaphore.acquireAsync().thenRun(() -> order.add(place));
    }
    semaphore.release(5);
    assertThat(order).containsExactly(0, 1, 2, 3, 4);
  }

  /** Runs {@code body}; where it first falls asleep, {@code meanwhile} runs instead, and all deadlines have come. */
  private static @Nullable Throwable sleepingWith(Runnable meanwhile, ThrowingCallable body) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Hosts.runOn(
        new DelegatingHost() {
          private boolean slept;
          private long ahead;

          @Override
          public void park(Waiter waiter, Object blocker) {
            assertThat(slept).as("a second sleep, after everything had happened").isFalse();
            slept = true;
            meanwhile.run();
          }

          @Override
          public void parkUntil(Waiter waiter, Object blocker, long deadline) {
            park(waiter, blocker);
            ahead = deadline;
          }

          @Override
          public long nanoTime() {
            return ahead;
          }
        },
        () -> {
          try {
            body.call();
          } catch (Throwable t) {
            thrown.set(t);
          }
        });
    return thrown.get();
  }
}
