// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import org.jspecify.annotations.Nullable;

/** Gives the turn from one to the next: to a task, or to the driver (null), the thread that began the run. */
interface Relay {

  /** A thread for {@code task}, not started; without a name if that is empty. */
  Thread newThread(CooperativeTask task, String name);

  /** The driver gives the turn to {@code to} and returns when it has it again. */
  void drive(CooperativeTask to);

  /**
   * {@code from} gives the turn to {@code to} and returns when it has it again.
   *
   * @return false if the thread cannot be switched here, because a foreign frame on its stack pins it; it keeps the turn
   */
  boolean handOver(CooperativeTask from, @Nullable CooperativeTask to);

  /** {@code from} gives the turn to {@code to} as the last thing it does. */
  void end(CooperativeTask from, @Nullable CooperativeTask to);

  /**
   * Nobody can go on: looks for tasks that were interrupted behind our back and could not say so, and makes them ready. False: there are
   * none.
   */
  default boolean wakesInterrupted() {
    return false;
  }

  /** Whoever has the turn keeps it at a switch point: the same is looked for from time to time. */
  default void staysWithHolder() {}

  /**
   * The task whose thread occupies the driver. If it is another than the one that has the turn, and that lasts, a foreign frame on
   * its stack pins it. Asked by a foreign thread; null if threads do not occupy the driver.
   */
  default @Nullable CooperativeTask pinned() {
    return null;
  }

  /** Makes the driver return although it does not have the turn. Called by a foreign thread. */
  void abandon();
}
