// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.spi.Terms;

/** How long things last, here and there. */
final class Times {
  static final long MILLI = 1_000_000;

  /** How long the server keeps what it has granted to a request that waited, until it hears of its process; as the script says. */
  static final long CLAIM = 5_000 * MILLI;

  /** A day: so long a name is kept whatever was said; as the script says. */
  static final long DAY_MILLIS = 86_400_000;

  /** As long as Redis can count without losing precision on the way: some centuries. */
  static final long LONGEST_MILLIS = 10_000_000_000_000L;

  /** What is taken off a window here, so that it ends here before it does there: clocks do not run equally fast. */
  private static final long DRIFT = 100;

  private static final long MARGIN = 5 * MILLI;

  private Times() {}

  static long millis(long nanos) {
    return nanos == Terms.NEVER ? 0 : Math.min(LONGEST_MILLIS, (nanos + MILLI - 1) / MILLI);
  }

  /** How long, from the moment of asking, it is certain that the server keeps something. */
  static long kept(long window) {
    return window - window / DRIFT - MARGIN;
  }
}
