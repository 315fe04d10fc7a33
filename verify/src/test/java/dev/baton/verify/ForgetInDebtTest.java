// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import org.junit.jupiter.api.Test;

/** Permits forgotten after the limit was lowered below what is held: they pay the debt first, and the limit stays one. */
class ForgetInDebtTest {

  @Test
  void aLimitLoweredBelowWhatIsHeldStaysThereWhenHeldPermitsAreForgotten() throws InterruptedException {
    Semaphore semaphore = Semaphore.of(3);
    try (Permit kept = semaphore.hold(1)) {
      Permit gone = semaphore.hold(2);
      semaphore.resize(1);
      assertThat(semaphore.snapshot().debt()).isEqualTo(2);
      gone.forget();
      assertThat(semaphore.limit()).isEqualTo(1);
      assertThat(semaphore.snapshot().debt()).isZero();
      assertThat(semaphore.snapshot().held()).isEqualTo(kept.count());
    }
    assertThat(semaphore.available()).isEqualTo(1);
    assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void heldPermitsAreForgottenFromTheLimitOnceTheDebtIsPaid() throws InterruptedException {
    Semaphore semaphore = Semaphore.of(3);
    Permit all = semaphore.hold(3);
    semaphore.resize(2);
    all.forget();
    assertThat(semaphore.limit()).isZero();
    assertThat(semaphore.available()).isZero();
    semaphore.resize(2);
    assertThat(semaphore.available()).isEqualTo(2);
    assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
  }
}
