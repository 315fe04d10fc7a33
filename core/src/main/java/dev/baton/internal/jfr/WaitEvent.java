// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import dev.baton.host.Kinds;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A wait that took longer than the threshold of the recording. */
@Name("dev.baton.Wait")
@Label("Baton Wait")
@Description("Somebody waited for a primitive of Baton's longer than the threshold")
@Category("Baton")
@Threshold("20 ms")
final class WaitEvent extends Event {

  @Label("Kind")
  @Description("The kind of primitive that was waited for")
  @Nullable String kind;

  @Label("Name")
  @Description("The name it was given; empty if none was")
  @Nullable String name;

  @Label("Primitive")
  @Description("What it says of itself at the end of the wait")
  @Nullable String primitive;

  @Label("Permits")
  @Description("How many were asked for; 0 where nothing is counted")
  long permits;

  @Label("Outcome")
  @Description("granted, interrupted, timed out, closed, refused or given up")
  @Nullable String outcome;

  static boolean isWanted() {
    return new WaitEvent().isEnabled();
  }

  static @Nullable WaitEvent beginOne() {
    WaitEvent event = new WaitEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  void endOne(Object waitedFor, String itsName, long count, String how) {
    end();
    if (shouldCommit()) {
      kind = Kinds.of(waitedFor);
      name = itsName;
      primitive = Shown.text(waitedFor);
      permits = count;
      outcome = how;
      commit();
    }
  }
}
