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

  /** From here on a time that is left does not end here: as {@link Terms#nanos} has it. */
  private static final long LONGEST_SURE = Long.MAX_VALUE / 2 / MILLI;

  /** What is taken off a window here, so that it ends here before it does there: clocks do not run equally fast. */
  private static final long DRIFT = 100;

  private static final long MARGIN = 5 * MILLI;

  /** One in so many is what two clocks may differ by over the time to live of a lease. */
  private static final long TTL_DRIFT = 1_000;

  /** Milliseconds: one that the server's clock leaves off when it grants, and one that is left off the drift. */
  private static final long ROUNDING = 2;

  private Times() {}

  /** How long the server is to keep something; as long as it can if that has no end. */
  static long millis(long nanos) {
    return nanos == Terms.NEVER ? LONGEST_MILLIS : (nanos + MILLI - 1) / MILLI;
  }

  /**
   * How many milliseconds the server is asked to keep something that ends here after {@code nanos}: somewhat more, so that it has ended here
   * first. The server counts in whole milliseconds from the one in which it grants, and by its own clock. That costs nobody any time: it is told
   * when something ends here. Zero stands for what has no end.
   */
  static long asked(long nanos) {
    if (nanos == Terms.NEVER) {
      return 0;
    }
    long millis = millis(nanos);
    return millis + millis / TTL_DRIFT + ROUNDING;
  }

  /** How many nanoseconds something may last here of which the server says that it has so many milliseconds left. The inverse of {@link #asked}. */
  static long certain(long millis) {
    long whole = Math.max(0, millis - ROUNDING);
    long sure = whole - whole / (TTL_DRIFT + 1);
    return sure >= LONGEST_SURE ? Terms.NEVER : sure * MILLI;
  }

  /** How long, from the moment of asking, it is certain that the server keeps something. */
  static long kept(long window) {
    return window - window / DRIFT - MARGIN;
  }
}
