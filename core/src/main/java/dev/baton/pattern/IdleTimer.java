// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Alarms;
import dev.baton.host.Host;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a pool, one for each host that resources were returned on: set for the one that is idle longest by the clock of that
 * host, so a busy pool sets it once in a while.
 */
final class IdleTimer {
  /** One of the hosts that will look for resources that are idle too long, or null. Written under the monitor, read also without. */
  private volatile @Nullable Host latest;

  // Guarded by this.
  private final IdentityHashMap<Host, Host.Timer> timers = new IdentityHashMap<>(2);
  private boolean stopped;

  /** Whether {@code host} will look anyway. */
  boolean isSetBy(Host host) {
    // Mostly there is one host only.
    return latest == host || isKnown(host);
  }

  private synchronized boolean isKnown(Host host) {
    return timers.containsKey(host);
  }

  /** Has {@code action} run on {@code host} at {@code deadline}, in a task of its own: it is foreign code. */
  synchronized void set(Host host, long deadline, Runnable action) {
    if (stopped || timers.containsKey(host)) {
      return;
    }
    timers.put(host, Alarms.set(host, deadline, "baton-pool", action));
    latest = host;
  }

  /** {@code host} has looked. */
  synchronized void clear(Host host) {
    timers.remove(host);
    if (latest == host) {
      latest = null;
    }
  }

  /** Nothing is set any more, nor can be. */
  synchronized void stop() {
    stopped = true;
    latest = null;
    timers.values().forEach(Host.Timer::cancel);
    timers.clear();
  }
}
