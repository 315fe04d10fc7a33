// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import org.junit.jupiter.api.Test;

/** A host that decides the schedule itself: what a cooperative host needs from the primitives. */
class StepHostTest {
  private final SteppedWorld world = new SteppedWorld();
  private final StepHost host = world.host();

  @Test
  void twoUncontendedLocksCanBeSplitIntoADeadlock() {
    Mutex left = new Mutex();
    Mutex right = new Mutex();
    host.stopAtSwitchPoints(true);
    SteppedWorld.Stepped<Object> a = world.launch("a", () -> lockBoth(left, right));
    SteppedWorld.Stepped<Object> b = world.launch("b", () -> lockBoth(right, left));
    for (int i = 0; i < 3; i++) {
      host.step(a.task());
      host.step(b.task());
    }
    assertThat(a.isWaiting()).isTrue();
    assertThat(b.isWaiting()).isTrue();
    assertThat(left.waiting()).isEqualTo(1);
    assertThat(right.waiting()).isEqualTo(1);
    assertThatThrownBy(a::awaitEnd).hasMessageContaining("nothing can wake it");
    a.interrupt();
    assertThat(a.failure()).isInstanceOf(InterruptedException.class);
  }

  private static Object lockBoth(Mutex first, Mutex second) throws InterruptedException {
    first.lockInterruptibly();
    second.lockInterruptibly();
    return "both";
  }

  @Test
  void aGrantMakesReadyButDoesNotRun() {
    Semaphore s = Semaphore.unbounded(0);
    SteppedWorld.Stepped<Object> waiter =
        world.launch(
            "waiter",
            () -> {
              s.acquire();
              return "granted";
            });
    host.step(waiter.task());
    assertThat(waiter.task().state()).isEqualTo(StepHost.State.PARKED);
    s.release();
    assertThat(waiter.task().state()).isEqualTo(StepHost.State.READY);
    assertThat(waiter.isDone()).isFalse();
    host.step(waiter.task());
    assertThat(waiter.result()).isEqualTo("granted");
  }

  @Test
  void timeMovesOnlyByHand() {
    Semaphore s = Semaphore.unbounded(0);
    Actor<Boolean> waiter = world.call("waiter", () -> s.tryAcquire(java.time.Duration.ofNanos(1_000)));
    host.advance(999);
    host.settle();
    assertThat(waiter.isDone()).isFalse();
    host.advance(1);
    assertThat(waiter.result()).isFalse();
  }

  @Test
  void aTaskThatCannotRunCannotBeStepped() {
    Semaphore s = Semaphore.unbounded(0);
    SteppedWorld.Stepped<Object> waiter =
        world.launch(
            "waiter",
            () -> {
              s.acquire();
              return null;
            });
    host.step(waiter.task());
    assertThatThrownBy(() -> host.step(waiter.task())).hasMessageContaining("waiter cannot run: it is PARKED");
    s.release();
    waiter.result();
  }
}
