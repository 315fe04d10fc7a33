// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import dev.baton.internal.threads.Backoff;

/**
 * How long a thread of an executor goes on before it lets others of its carrier begin: virtual threads are not preempted. To read the clock
 * costs about as much as a small job, so that it is read the less often the smaller the jobs turn out to be.
 */
final class Slice {
  private static final long NANOS = 200_000;

  private static final int LARGEST_STRIDE = 32;

  private final Host host;
  private long since;
  private int stride = 1;
  private int left = 1;

  Slice(Host host) {
    this.host = host;
    this.since = host.nanoTime();
  }

  /** A job has been run. */
  void ranOne() {
    if (--left > 0) {
      return;
    }
    if (host.nanoTime() - since > NANOS) {
      Backoff.giveWay();
      since = host.nanoTime();
      stride = 1;
    } else {
      stride = Math.min(2 * stride, LARGEST_STRIDE);
    }
    left = stride;
  }
}
