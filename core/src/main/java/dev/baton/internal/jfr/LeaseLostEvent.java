// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A lease that ended before its holder gave it back. */
@Name("dev.baton.LeaseLost")
@Label("Baton Lease Lost")
@Description("A lease ended before its holder released it")
@Category("Baton")
final class LeaseLostEvent extends Event {

  @Label("Name")
  @Description("The name of the semaphore")
  @Nullable String name;

  @Label("Lease")
  @Description("The id of the lease")
  @Nullable String lease;

  @Label("Holder")
  @Description("Who acquired it")
  @Nullable String holder;

  @Label("Reason")
  @Description("EXPIRED, REVOKED or UNREACHABLE")
  @Nullable String reason;

  @Label("Store")
  @Description("Where leases of this name are kept")
  @Nullable String store;

  @Label("Held")
  @Description("For how long it was held")
  @Timespan(Timespan.NANOSECONDS)
  long held;

  static void happened(String itsName, String id, String who, String why, String where, long heldNanos) {
    LeaseLostEvent event = new LeaseLostEvent();
    if (event.shouldCommit()) {
      event.name = itsName;
      event.lease = id;
      event.holder = who;
      event.reason = why;
      event.store = where;
      event.held = heldNanos;
      event.commit();
    }
  }
}
