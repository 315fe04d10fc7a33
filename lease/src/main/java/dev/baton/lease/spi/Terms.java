// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.lease.OnExpiry;
import dev.baton.lease.OnMismatch;
import java.time.Duration;

/**
 * What a handle asks for. Times are nanoseconds, and {@link #NEVER} if there is no end.
 *
 * @param name the name
 * @param limit the declared limit
 * @param onMismatch what to do if the name has another
 * @param ttl how long a lease may last
 * @param maxWait how long to wait for one
 * @param window how long a store elsewhere keeps a lease of a process that does not renew it
 * @param idleTtl how long a name that nobody uses is kept
 * @param onExpiry whether losing it interrupts the holder
 * @param label what the holder calls itself
 */
public record Terms(
    String name,
    int limit,
    OnMismatch onMismatch,
    long ttl,
    long maxWait,
    long window,
    long idleTtl,
    OnExpiry onExpiry,
    String label) {
  /** A time that does not end. So is all that is longer: 146 years. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long LONGEST = Long.MAX_VALUE / 2;
  private static final Duration LONGEST_DURATION = Duration.ofNanos(LONGEST);

  /** {@code time} as nanoseconds; zero if it is negative. */
  public static long nanos(Duration time) {
    if (time.isNegative()) {
      return 0;
    }
    return time.compareTo(LONGEST_DURATION) >= 0 ? NEVER : time.toNanos();
  }

  /** The name as it may stand in one line of a log. */
  public static String shown(String name) {
    StringBuilder text = new StringBuilder(name.length());
    name.chars()
        .forEach(c -> text.append(Character.isISOControl(c) ? escaped(c) : Character.toString(c)));
    return text.toString();
  }

  /** A character that cannot be seen, for people. */
  public static String escaped(int c) {
    return String.format("\\u%04x", c);
  }
}
