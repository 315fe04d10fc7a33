// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Permit} that was garbage collected with its permits still in it. Off unless asked for: to notice that, each permit that is taken
 * costs a reference more. The recorder's own thread looks once in a while.
 */
@Name("dev.baton.PermitLeak")
@Label("Baton Permit Leak")
@Description("A Permit was garbage collected without being closed: its permits are gone for good")
@Category("Baton")
@Enabled(false)
@Period("1 s")
@StackTrace(false)
final class PermitLeakEvent extends Event {

  @Label("Name")
  @Description("The name of the semaphore; empty if it has none")
  @Nullable String name;

  @Label("Semaphore")
  @Description("What the semaphore says of itself")
  @Nullable String semaphore;

  @Label("Permits")
  @Description("How many are gone")
  long permits;

  @Label("Taken By")
  @Description("Who took them")
  @Nullable String takenBy;

  @Label("Taken At")
  @Description("The line where they were taken; empty unless stacks are tracked")
  @Nullable String takenAt;

  static boolean isWanted() {
    return new PermitLeakEvent().isEnabled();
  }

  static void lookBy(Runnable look) {
    try {
      FlightRecorder.addPeriodicEvent(PermitLeakEvent.class, look);
    } catch (RuntimeException refused) {
      // Then leaks are not told of: no reason to refuse a permit.
    }
  }

  static void happened(Object lender, String itsName, long count, String taker, String line) {
    PermitLeakEvent event = new PermitLeakEvent();
    if (event.shouldCommit()) {
      event.name = itsName;
      event.semaphore = Shown.text(lender);
      event.permits = count;
      event.takenBy = taker;
      event.takenAt = line;
      event.commit();
    }
  }
}
