// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import java.time.Duration;
import java.util.Objects;

/** Durations as nanoseconds. */
public final class Nanos {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Nanos() {}

  /** Nanoseconds, saturating at {@link Long#MAX_VALUE} (which waits without a deadline); zero if zero or negative. */
  public static long of(Duration timeout) {
    // So it is called by all who do not look themselves.
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
  }
}
