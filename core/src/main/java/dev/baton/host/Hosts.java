// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.threads.ThreadHost;

/** Finds the host of the calling task. */
public final class Hosts {
  private static final ScopedValue<Host> CURRENT = ScopedValue.newInstance();

  private Hosts() {}

  /** The host the calling task runs on; ordinary threads unless a host has bound itself. */
  public static Host current() {
    return CURRENT.orElse(ThreadHost.INSTANCE);
  }

  /** The calling task. One intrinsic while no cooperative host has ever started. */
  public static Object currentTask() {
    return SwitchPoints.active() ? current().currentTask() : Thread.currentThread();
  }

  /** Runs {@code body} as a task of {@code host}. */
  public static void runOn(Host host, Runnable body) {
    ScopedValue.where(CURRENT, host).run(body);
  }
}
