// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.observe.Waits;
import dev.baton.internal.observe.Watch;
import org.jspecify.annotations.Nullable;

/** A wait in which nobody sleeps, such as that of a future, as those have it who want to know who waits. */
public final class KnownWait {
  /** The outcome of a wait of which nobody wants the result any more. */
  public static final int GIVEN_UP = Waits.GIVEN_UP;

  private final Waits.Entry entry;

  private KnownWait(Waits.Entry entry) {
    this.entry = entry;
  }

  /** {@code waiter} waits for {@code blocker}, and stands in line already. Null: nobody wants to know. */
  public static @Nullable KnownWait begin(Waiter waiter, Object blocker) {
    if (!Watch.seesWaits()) {
      return null;
    }
    try {
      Waits.Entry entry = Waits.begin(waiter, blocker);
      return entry == null ? null : new KnownWait(entry);
    } catch (OutOfMemoryError noRoom) {
      // It stands in line: better not known than lost.
      return null;
    }
  }

  /** It is over, with the {@code outcome} of its waiter, {@link Waiter#TIMED_OUT} or {@link #GIVEN_UP}. Only the first to say so is heard. Never throws. */
  public void end(int outcome) {
    Waits.end(entry, outcome);
  }
}
