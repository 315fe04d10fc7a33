// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import org.jspecify.annotations.Nullable;

/** The one timer of a pool: set for the resource that lies idle longest, so a busy pool sets it once in a while. */
final class IdleTimer {
  // Guarded by this.
  private Host.@Nullable Timer timer;
  private boolean stopped;

  /** Has {@code action} run on {@code host} at {@code deadline}, in a task of its own: it is foreign code. */
  synchronized void set(Host host, long deadline, Runnable action) {
    if (stopped) {
      return;
    }
    cancel();
    timer = host.schedule(deadline, () -> host.start("baton-pool", action));
  }

  /** Nothing is set any more, nor can be. */
  synchronized void stop() {
    stopped = true;
    cancel();
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
