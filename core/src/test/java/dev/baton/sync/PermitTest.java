// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PermitTest {

  @Test
  void case43_closingTwiceReleasesOnce() throws Exception {
    Semaphore s = Semaphore.of(3);
    Permit other = s.hold();
    Permit permit = s.hold();
    permit.close();
    permit.close();
    assertThat(s.available()).isEqualTo(2);
    assertThat(permit.count()).isZero();
    other.close();
    assertThat(s.available()).isEqualTo(3);
  }

  @Test
  void case44_aForgottenPermitNeverComesBack() throws Exception {
    Semaphore s = Semaphore.of(3);
    try (Permit permit = s.hold(2)) {
      permit.forget();
      assertThat(permit.count()).isZero();
    }
    assertThat(s.available()).isEqualTo(1);
    assertThat(s.limit()).isEqualTo(1);
    assertThat(s.snapshot().held()).isZero();
    Semaphore unbounded = Semaphore.unbounded(3);
    unbounded.hold(2).forget();
    assertThat(unbounded.available()).isEqualTo(1);
    unbounded.release(2);
    assertThat(unbounded.available()).isEqualTo(3);
  }

  @Test
  void aForgottenPermitRefusesRequestsThatCanNeverBeGranted() throws Exception {
    Semaphore s = Semaphore.of(2);
    Permit permit = s.hold();
    var waiting = s.acquireAsync(2);
    permit.forget();
    assertThat(waiting.exceptionNow()).isInstanceOf(IllegalArgumentException.class);
    assertThat(s.available()).isEqualTo(1);
  }

  @Test
  void whatIsHeldStaysCountedWhenForgottenInDebtAndClosed() throws Exception {
    Semaphore s = Semaphore.of(3);
    Permit kept = s.hold(3);
    Permit forgotten = kept.split(2);
    s.resize(1);
    s.close();
    forgotten.forget();
    assertThat(s.snapshot().held()).isEqualTo(1);
    kept.close();
    assertThat(s.snapshot().held()).isZero();
    assertThatThrownBy(s::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void case45_mergedPermitsGoBackTogether() throws Exception {
    Semaphore s = Semaphore.of(5);
    Permit one = s.hold();
    Permit two = s.hold(2);
    one.merge(two);
    assertThat(one.count()).isEqualTo(3);
    assertThat(two.count()).isZero();
    two.close();
    assertThat(s.available()).isEqualTo(2);
    one.close();
    assertThat(s.available()).isEqualTo(5);
  }

  @Test
  void case45_foreignPermitsCannotBeMergedAndNothingIsLost() throws Exception {
    Semaphore s = Semaphore.of(2);
    Semaphore t = Semaphore.of(2);
    Permit mine = s.hold();
    Permit foreign = t.hold();
    assertThatThrownBy(() -> mine.merge(foreign)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> mine.merge(mine)).isInstanceOf(IllegalArgumentException.class);
    Permit closed = s.hold();
    closed.close();
    assertThatThrownBy(() -> mine.merge(closed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.merge(mine)).isInstanceOf(IllegalStateException.class);
    assertThat(mine.count()).isEqualTo(1);
    mine.close();
    foreign.close();
    assertThat(s.available()).isEqualTo(2);
    assertThat(t.available()).isEqualTo(2);
  }

  @Test
  void case45_twoPermitsMergedIntoEachOtherKeepAllPermits() throws Exception {
    for (int round = 0; round < 5_000; round++) {
      Semaphore s = Semaphore.of(3);
      Permit one = s.hold();
      Permit two = s.hold(2);
      Thread other = Thread.ofVirtual().start(() -> mergeIfOpen(two, one));
      mergeIfOpen(one, two);
      other.join();
      assertThat(one.count() + two.count()).isEqualTo(3);
      assertThat(s.available()).isZero();
      one.close();
      two.close();
      assertThat(s.available()).isEqualTo(3);
    }
  }

  private static void mergeIfOpen(Permit into, Permit from) {
    try {
      into.merge(from);
    } catch (IllegalStateException meanwhileMerged) {
      assertThat(meanwhileMerged).hasMessageContaining("merge");
    }
  }

  @Test
  void case45_moreThanMaxCannotBeMerged() throws Exception {
    Semaphore s = Semaphore.unbounded(Semaphore.MAX_PERMITS);
    Permit all = s.hold(Semaphore.MAX_PERMITS);
    s.release();
    Permit one = s.hold();
    assertThatThrownBy(() -> all.merge(one)).isInstanceOf(IllegalArgumentException.class);
    assertThat(one.count()).isEqualTo(1);
    assertThat(all.count()).isEqualTo(Semaphore.MAX_PERMITS);
  }

  @Test
  void aForeignReturnNeitherLosesNorMakesPermits() throws Exception {
    Semaphore s = Semaphore.of(3);
    Permit closed = s.hold(2);
    s.release(); // wrong: it was not ours
    closed.close();
    assertThat(s.available()).isEqualTo(3);
    Permit forgotten = s.hold(2);
    s.release(); // wrong again
    forgotten.forget();
    assertThat(s.available()).isEqualTo(s.limit()).isEqualTo(2);
    assertThat(s.snapshot().held()).isZero();
  }

  @Test
  void case46_aPermitCanBeSplit() throws Exception {
    Semaphore s = Semaphore.of(3);
    Permit three = s.hold(3);
    Permit one = three.split(1);
    assertThat(three.count()).isEqualTo(2);
    assertThat(one.count()).isEqualTo(1);
    Permit none = three.split(0);
    assertThat(none.count()).isZero();
    none.close();
    assertThatThrownBy(() -> three.split(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot split 3 off a permit of 2");
    assertThatThrownBy(() -> three.split(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(three.count()).isEqualTo(2);
    one.close();
    assertThat(s.available()).isEqualTo(1);
    assertThat(three.split(2).count()).isEqualTo(2);
    three.close();
    assertThat(s.available()).isEqualTo(1);
    assertThatThrownBy(() -> three.split(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tryHoldHoldsOrIsEmpty() {
    Semaphore s = Semaphore.of(1);
    Optional<Permit> held = s.tryHold();
    assertThat(held).isPresent();
    assertThat(s.tryHold()).isEmpty();
    held.get().close();
    assertThat(s.available()).isEqualTo(1);
  }

  @Test
  void toStringTellsWhatIsHeld() throws Exception {
    Permit permit = Semaphore.of(4).hold(3);
    assertThat(permit.toString()).contains("3 of Semaphore");
    permit.close();
    assertThat(permit.toString()).contains("closed");
  }
}
