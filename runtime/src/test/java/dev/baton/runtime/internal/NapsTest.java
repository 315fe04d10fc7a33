// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Priority;
import org.junit.jupiter.api.Test;

class NapsTest {
  private final Naps naps = new Naps();

  @SuppressWarnings("NullAway") // nothing is asked of its life here
  private static CooperativeTask task(int number) {
    return new CooperativeTask(null, number, "", Priority.NORMAL, () -> {});
  }

  @Test
  void whoNapsHasABedOfItsOwnAndLeavesIt() {
    CooperativeTask a = task(0);
    CooperativeTask b = task(1);
    int first = naps.begin(a);
    int second = naps.begin(b);
    assertThat(naps.in(first)).isSameAs(a);
    assertThat(naps.in(second)).isSameAs(b);
    assertThat(naps.all()).isEqualTo(1 << first | 1 << second);

    naps.end(first, true);

    assertThat(naps.all()).isEqualTo(1 << second);
    assertThat(naps.begin(task(2))).isEqualTo(first);
  }

  @Test
  void whenAllBedsAreTakenOneGoesToSleepAtOnce() {
    int beds = 0;
    while (naps.begin(task(beds)) != Naps.NONE) {
      beds++;
    }
    assertThat(beds).isEqualTo(Integer.bitCount(naps.all())).isGreaterThan(1);
  }

  @Test
  void whoNapsTooLongIsFoundAndNotWhoHasJustBegun() {
    int early = naps.begin(task(0));
    awaitDue();
    assertThat(naps.takeLong()).isZero();
    int late = naps.begin(task(1));
    awaitDue();
    assertThat(naps.takeLong()).isEqualTo(1 << early);

    naps.end(early, false);
    assertThat(naps.begin(task(2))).as("the bed of one that has left").isEqualTo(early);
    awaitDue();
    assertThat(naps.takeLong()).isEqualTo(1 << late);
  }

  /** So many switches that it is looked for those who nap too long; a bounded number of them. */
  private void awaitDue() {
    int switches = 0;
    while (!naps.areDue()) {
      assertThat(++switches).isLessThan(1_000);
    }
  }

  @Test
  void nobodyIsLookedForWhileNobodyNaps() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(naps.areDue()).isFalse();
    }
  }

  @Test
  void oneLearnsThatNapsAreInVainAndThatTheyPayAgain() {
    int tries = 0;
    for (int i = 0; i < 10_000; i++) {
      int bed = naps.begin(task(i));
      if (bed != Naps.NONE) {
        tries++;
        naps.end(bed, false);
      }
    }
    assertThat(tries).isBetween(50, 200);

    int inTime = 0;
    for (int i = 0; i < 10_000; i++) {
      int bed = naps.begin(task(i));
      if (bed != Naps.NONE) {
        inTime++;
        naps.end(bed, true);
      }
    }
    assertThat(inTime).isGreaterThan(9_000);
  }
}
