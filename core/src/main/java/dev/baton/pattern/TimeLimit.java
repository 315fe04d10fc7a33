// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.host.Host;
import dev.baton.host.Hosts;

/** So many nanoseconds for several waits together, by the clock of the caller's host. */
final class TimeLimit {
  private final Host host = Hosts.current();
  private final boolean limited;
  private final long deadline;

  TimeLimit(long nanos) {
    limited = nanos != FOREVER;
    deadline = limited ? host.nanoTime() + nanos : 0;
  }

  /** What is left: zero if nothing, FOREVER if there is no limit. */
  long left() {
    return limited ? Math.max(deadline - host.nanoTime(), 0) : FOREVER;
  }
}
