// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import java.time.Duration;

/** Durations as nanoseconds. */
public final class Nanos {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Nanos() {}

  /** Nanoseconds, saturating at {@link Long#MAX_VALUE} (which waits without a deadline); zero if zero or negative. */
  public static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
  }
}
