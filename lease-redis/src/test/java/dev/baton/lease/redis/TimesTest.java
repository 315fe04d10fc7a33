// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.spi.Terms;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 999, 1_000, 1_001, 1_999, 30_000, 600_000, 86_400_000, 1_000_000_000_000L})
  void whatTheServerIsAskedForLastsAsLongAsWantedHere(long millis) {
    long nanos = Duration.ofMillis(millis).toNanos();

    assertThat(Times.certain(Times.asked(nanos))).isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 999, 1_000, 30_000, 600_000})
  void itHasEndedHereBeforeTheServerCanEndIt(long millis) {
    long wanted = Duration.ofMillis(millis).toNanos();
    for (long fraction = 0; fraction < Times.MILLI; fraction += 99_999) {
      // Granted in the very moment it was asked for, in the middle of a millisecond of the server, whose clock is a little too fast.
      long grantedAt = 7 * Times.MILLI + fraction;
      long endsHere = grantedAt + Times.certain(Times.asked(wanted));
      long endsThere = 7 * Times.MILLI + Times.asked(wanted) * Times.MILLI;
      assertThat(endsHere).isLessThan(endsThere);
      assertThat(grantedAt + wanted + wanted / 2_000).as("by a clock that is too fast").isLessThan(endsThere);
    }
  }

  @Test
  void whatIsRenewedForEverIsKeptByTheServerForLongerThanHere() {
    assertThat(Times.kept(Terms.NEVER) / Times.MILLI).isPositive().isLessThan(Times.millis(Terms.NEVER));
  }

  @Test
  void whatNeverEndsIsAskedForAsSuch() {
    assertThat(Times.asked(Terms.NEVER)).isZero();
    assertThat(Times.certain(0)).isZero();
    assertThat(Times.certain(-5)).isZero();
    assertThat(Times.certain(Times.LONGEST_MILLIS)).isEqualTo(Terms.NEVER);
  }
}
