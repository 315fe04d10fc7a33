// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import java.time.Duration;
import java.util.Locale;

/**
 * How a name is doing, at one instant: {@code granted = released + expired + revoked + holders}. Counts begin when the name does, and end
 * with it; see {@link LeaseSemaphore#idleTtl}.
 *
 * @param name the name
 * @param acquired permits that are held
 * @param limit permits there are
 * @param holders leases that are held
 * @param waiting requests that wait
 * @param oldestWait how long the first in line has been waiting; zero if nobody waits
 * @param granted leases granted so far
 * @param released leases released so far; also those that came too late for whoever wanted them
 * @param expired leases lost to their time to live, or to a holder that was gone
 * @param revoked leases revoked
 * @param timedOut requests whose time was over first
 */
public record LeaseStats(
    String name,
    int acquired,
    int limit,
    int holders,
    int waiting,
    Duration oldestWait,
    long granted,
    long released,
    long expired,
    long revoked,
    long timedOut) {

  /** {@return how much of the limit is held, in percent; more than 100 only after the limit was lowered} */
  public double percent() {
    return 100.0 * acquired / limit;
  }

  /** For example {@code shared: 2/3 (66.7%)}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: %d/%d (%.1f%%)", name, acquired, limit, percent());
  }
}
