// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A deadlock that a dump has found. */
@Name("dev.baton.Deadlock")
@Label("Baton Deadlock")
@Description("Baton.dump() found tasks that can never go on")
@Category("Baton")
final class DeadlockEvent extends Event {
  /** A graph of thousands of waits is of no use in a recording. */
  private static final int MOST = 16_000;

  @Label("Tasks")
  @Description("How many tasks cannot go on")
  int tasks;

  @Label("Graph")
  @Description("Who waits for what, and who has it")
  @Nullable String graph;

  static boolean isWanted() {
    return new DeadlockEvent().isEnabled();
  }

  static void happened(int stuck, String text) {
    DeadlockEvent event = new DeadlockEvent();
    if (event.shouldCommit()) {
      event.tasks = stuck;
      event.graph = text.length() <= MOST ? text : text.substring(0, MOST) + "...";
      event.commit();
    }
  }
}
