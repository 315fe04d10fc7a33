// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.threads.ThreadHost;

/** Finds the host of the calling task. */
public final class Hosts {
  private static final ScopedValue<Host> CURRENT = ScopedValue.newInstance();

  private Hosts() {}

  /** The host the calling task runs on; ordinary threads unless a host has bound itself. */
  public static Host current() {
    // A constant until the first other host of the JVM begins.
    return SwitchPoints.active() ? CURRENT.orElse(ThreadHost.INSTANCE) : ThreadHost.INSTANCE;
  }

  /** The number of the calling task: that of its thread while no cooperative host has ever started. */
  public static long currentTaskId() {
    return SwitchPoints.active() ? current().currentTaskId() : Thread.currentThread().threadId();
  }

  /** Runs {@code body} as a task of {@code host}. */
  public static void runOn(Host host, Runnable body) {
    SwitchPoints.activate();
    ScopedValue.where(CURRENT, host).run(body);
  }
}
