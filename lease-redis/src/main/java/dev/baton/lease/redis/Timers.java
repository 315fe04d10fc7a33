// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Host;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;

/** The clock of a store, and what is to happen when. */
final class Timers {
  private final Host host;
  private final Deadlines deadlines = new Deadlines();

  Timers(Host host) {
    this.host = host;
  }

  long now() {
    return host.nanoTime();
  }

  /** Up to {@code nanos}, at random. */
  long random(long nanos) {
    return host.nextInt((int) Math.min(nanos, Integer.MAX_VALUE));
  }

  /** Up to a tenth of {@code nanos}, at random: processes that began together shall not all ask at the same time. */
  long jitter(long nanos) {
    return nanos < 10 ? 0 : random(nanos / 10 + 1);
  }

  /** {@code entry} becomes due then. */
  void at(long time, Deadlines.Entry entry) {
    deadlines.add(host, entry, time);
  }

  /** {@code lease} is looked at when it may be over, by its own clock. */
  void watch(HeldLease lease) {
    lease.watch(deadlines);
  }

  /** {@code lease} is not looked at any more. */
  void end(HeldLease lease) {
    deadlines.end(lease);
  }

  void stop() {
    deadlines.stop();
  }
}
