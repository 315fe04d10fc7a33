// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counting: no waiting, so no world is needed. */
class SemaphoreCountingTest {
  private static final long MAX = Semaphore.MAX_PERMITS;

  @Test
  void case1_permitsAreTakenOneByOneAndTwoByTwo() {
    Semaphore s = Semaphore.of(3);
    assertThat(s.tryAcquire(1)).isTrue();
    assertThat(s.tryAcquire(2)).isTrue();
    assertThat(s.available()).isZero();
  }

  @Test
  void case2_tryingForMoreThanTheLimitIsFalseAndTakesNothing() {
    Semaphore s = Semaphore.of(2);
    assertThat(s.tryAcquire(3)).isFalse();
    assertThat(s.available()).isEqualTo(2);
  }

  @Test
  void case3_unboundedStartsWithNoneAndGetsThemByRelease() {
    Semaphore s = Semaphore.unbounded(0);
    assertThat(s.tryAcquire()).isFalse();
    s.release(2);
    assertThat(List.of(s.tryAcquire(), s.tryAcquire(), s.tryAcquire())).containsExactly(true, true, false);
  }

  @Test
  void case4_unboundedReleaseAdds() {
    for (int size = 0; size <= 3; size++) {
      for (int add = 0; add <= 3; add++) {
        Semaphore s = Semaphore.unbounded(size);
        s.release(add);
        assertThat(s.available()).isEqualTo(size + add);
      }
    }
  }

  @Test
  void case5_forgetTakesFreePermitsOutForGood() {
    for (int size = 1; size <= 3; size++) {
      for (int forget = 0; forget <= 4; forget++) {
        Semaphore s = Semaphore.of(size);
        assertThat(s.forget(forget)).isEqualTo(Math.min(size, forget));
        assertThat(s.available()).isEqualTo(Math.max(0, size - forget));
        assertThat(s.limit()).isEqualTo(Math.max(0, size - forget));
        assertConserved(s);
      }
    }
  }

  @Test
  void case5_forgetSparesWhatIsHeld() throws InterruptedException {
    Semaphore s = Semaphore.of(5);
    s.acquire(3);
    assertThat(s.forget(4)).isEqualTo(2);
    assertThat(s.limit()).isEqualTo(3);
    s.release(3);
    assertThat(s.available()).isEqualTo(3);
    assertThatThrownBy(s::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void case5_closedSemaphoreForgetsNothingAndStaysClosed() {
    Semaphore s = Semaphore.of(3);
    s.close();
    assertThat(s.forget(2)).isZero();
    assertThat(s.isClosed()).isTrue();
    assertThat(s.limit()).isEqualTo(3);
  }

  @Test
  void case6_countsEndAtMax() {
    assertThat(Semaphore.unbounded(MAX).available()).isEqualTo(MAX);
    assertThatThrownBy(() -> Semaphore.unbounded(MAX + 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Semaphore.of(MAX + 1)).isInstanceOf(IllegalArgumentException.class);
    Semaphore s = Semaphore.unbounded(MAX - 1);
    s.release();
    assertThatThrownBy(s::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> s.release(MAX)).isInstanceOf(IllegalStateException.class);
    assertThat(s.available()).isEqualTo(MAX);
  }

  @Test
  void case7_releasingWhatNobodyHoldsIsRefusedAndChangesNothing() {
    Semaphore s = Semaphore.of(2);
    assertThatThrownBy(s::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only 0 of 2 permits are held");
    assertThatThrownBy(() -> s.release(2)).isInstanceOf(IllegalStateException.class);
    assertThat(List.of(s.tryAcquire(), s.tryAcquire(), s.tryAcquire())).containsExactly(true, true, false);
    assertThatThrownBy(() -> s.release(3)).hasMessageContaining("only 2 of 2 permits are held");
    s.release(2);
    assertThat(s.available()).isEqualTo(2);
  }

  @Test
  void case9_negativeCountsAreRefusedAndTouchNothing() {
    Semaphore s = Semaphore.of(2);
    for (long n : new long[] {-1, Long.MIN_VALUE, MAX + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> s.acquire(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.acquireUninterruptibly(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.tryAcquire(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.tryAcquire(n, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.acquireAsync(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.hold(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.tryHold(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.withPermit(n, () -> {})).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.release(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.forget(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> s.resize(n)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(s.available()).isEqualTo(2);
    assertThat(s.limit()).isEqualTo(2);
  }

  @Test
  void case121_zeroHasItsPlace() {
    Semaphore s = Semaphore.of(1);
    s.release(0);
    assertThat(s.available()).isEqualTo(1);
    assertThatThrownBy(() -> Semaphore.of(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unbounded(0)");
    assertThatThrownBy(() -> Semaphore.of(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Semaphore.unbounded(0).available()).isZero();
    assertThatThrownBy(() -> Semaphore.unbounded(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void nullBodiesAndDurationsAreRefusedBeforeAnythingIsTaken() {
    Semaphore s = Semaphore.of(1);
    assertThatThrownBy(() -> s.withPermit((VoidBody<RuntimeException>) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> s.withPermit((Body<String, RuntimeException>) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> s.tryAcquire((Duration) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> s.acquireAsync((Duration) null)).isInstanceOf(NullPointerException.class);
    assertThat(s.available()).isEqualTo(1);
  }

  @Test
  void anUnboundedSemaphoreCannotBeResized() {
    Semaphore s = Semaphore.unbounded(3);
    assertThatThrownBy(() -> s.resize(5)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(s.available()).isEqualTo(3);
    assertThat(s.limit()).isEqualTo(MAX);
  }

  @Test
  void growingAddsPermitsAndShrinkingLeavesADebt() throws InterruptedException {
    Semaphore s = Semaphore.of(2);
    s.resize(5);
    assertThat(s.available()).isEqualTo(5);
    s.acquire(4);
    s.resize(1);
    assertThat(s.snapshot().debt()).isEqualTo(3);
    assertThat(s.available()).isZero();
    assertConserved(s);
    s.release(3);
    assertThat(s.available()).isZero();
    assertThat(s.snapshot().debt()).isZero();
    s.release();
    assertThat(s.available()).isEqualTo(1);
    assertThatThrownBy(s::release).isInstanceOf(IllegalStateException.class);
    assertConserved(s);
  }

  @Test
  void aLimitOfZeroRefusesEveryRequestUntilItGrows() throws InterruptedException {
    Semaphore s = Semaphore.of(1);
    s.resize(0);
    assertThatThrownBy(s::acquire)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the limit is 0");
    assertThat(s.tryAcquire()).isFalse();
    s.resize(1);
    s.acquire();
    assertThat(s.available()).isZero();
  }

  @Test
  void toStringTellsTheState() {
    Semaphore s = Semaphore.of(3);
    s.tryAcquire();
    assertThat(s.toString()).contains("2 of 3 available");
    s.close();
    assertThat(s.toString()).contains("closed");
    assertThat(Semaphore.unbounded(4).toString()).contains("4 available");
  }

  private static void assertConserved(Semaphore s) {
    Semaphore.Snapshot now = s.snapshot();
    assertThat(now.free() + now.reserved() + now.held()).isEqualTo(now.limit() + now.debt());
  }
}
