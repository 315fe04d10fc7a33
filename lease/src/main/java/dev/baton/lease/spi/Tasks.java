// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.host.Host;
import dev.baton.host.Hosts;

/** Tasks for what a lease still has to do: its host may have ended before it. */
public final class Tasks {
  private Tasks() {}

  /** Starts {@code task} on {@code host}, or on an ordinary thread if that starts no tasks any more. */
  public static void start(Host host, String name, Runnable task) {
    try {
      host.start(name, task);
    } catch (IllegalStateException over) {
      Hosts.threads().start(name, task);
    }
  }
}
