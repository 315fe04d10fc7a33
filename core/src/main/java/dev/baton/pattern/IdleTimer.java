// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Alarms;
import dev.baton.host.Host;
import org.jspecify.annotations.Nullable;

/** The one timer of a pool: set for the resource that is idle longest, so a busy pool sets it once in a while. */
final class IdleTimer {
  /** The host that will look for resources that are idle too long, or null. Written under the monitor, read also without. */
  private volatile @Nullable Host watching;

  // Guarded by this.
  private Host.@Nullable Timer timer;
  private boolean stopped;

  /** Whether {@code host} will look anyway. */
  boolean isSetBy(Host host) {
    return watching == host;
  }

  /** Has {@code action} run on {@code host} at {@code deadline}, in a task of its own: it is foreign code. Replaces any other host's. */
  synchronized void set(Host host, long deadline, Runnable action) {
    if (stopped || watching == host) {
      return;
    }
    cancel();
    watching = host;
    timer = Alarms.set(host, deadline, "baton-pool", action);
  }

  /** {@code host} has looked. */
  synchronized void clear(Host host) {
    if (watching == host) {
      watching = null;
      timer = null;
    }
  }

  /** Nothing is set any more, nor can be. */
  synchronized void stop() {
    stopped = true;
    watching = null;
    cancel();
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
