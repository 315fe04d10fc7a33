// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

/** What is to be done later, in a task of its own, also if the host of whoever wanted it has ended by then. */
public final class Alarms {
  private Alarms() {}

  /** Starts {@code task} once the clock of {@code host} has reached {@code deadline}; if the host has ended before, on an ordinary thread. */
  public static Host.Timer set(Host host, long deadline, String name, Runnable task) {
    return host.scheduleLasting(deadline, () -> start(host, name, task));
  }

  /** Starts {@code task} on {@code host}, or on an ordinary thread if that starts no tasks any more. */
  public static void start(Host host, String name, Runnable task) {
    try {
      host.start(name, task);
    } catch (IllegalStateException over) {
      Hosts.threads().start(name, task);
    }
  }
}
