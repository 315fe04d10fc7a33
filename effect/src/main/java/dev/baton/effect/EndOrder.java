// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The order in which tasks and promises of a run end: each gets a place, and one that ended later has a larger one.
 *
 * <p>Most end inside, one after the other, by whoever has the turn: that is a count. What ends from outside comes between two of those,
 * in an order of its own.
 *
 * <pre>
 *   place = how many ended inside before it, or with it │ its number among those from outside since then; inside 0
 * </pre>
 */
final class EndOrder {
  /** What ends inside is behind all from outside before it, as long as no more of those ended in a row than this has room for. */
  private static final int OUTSIDE_BITS = 24;

  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(EndOrder.class, "inside", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written by whoever has the turn. */
  private long inside;

  /** The place of the last one from outside. */
  private final AtomicLong outside = new AtomicLong();

  /** The place of what ends now, by whoever has the turn. */
  long nextInside() {
    long next = inside + 1;
    // Opaque: whoever was told of this end, and ends something outside after it, sees it for having been told.
    INSIDE.setOpaque(this, next);
    return next << OUTSIDE_BITS;
  }

  /** The place of what ends now from outside. Called by any thread. */
  long nextOutside() {
    long insideBefore = (long) INSIDE.getOpaque(this) << OUTSIDE_BITS;
    return outside.accumulateAndGet(insideBefore, (last, base) -> Math.max(last, base) + 1);
  }
}
