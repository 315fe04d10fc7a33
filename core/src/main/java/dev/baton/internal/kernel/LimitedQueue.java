// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a queue of permits, a cache line away from the word that stands before it.
 *
 * <p>Every return reads the limit just after it has changed the word. In one line with it, the read would often fetch back what the
 * next core is waiting for: four permits on two cores changed hands a third more slowly.
 */
abstract class LimitedQueue extends PermitGap {
  /** The limit as returns see it, read after their fetch-add. A shrink publishes it first, a growth last. */
  volatile long limit;
}

/** The line in between. */
@SuppressWarnings("unused")
abstract class PermitGap extends AheadQueue {
  private long gap1;
  private long gap2;
  private long gap3;
  private long gap4;
  private long gap5;
  private long gap6;
  private long gap7;
}

/**
 * What a permit changes hands by. Beside the inherited lock and the ends of the line: whoever changes the word of a queue in which somebody waits takes
 * that lock next, and should have it with the same cache line.
 */
abstract class PermitFields extends TurnFields {
  static final VarHandle WORD = Fields.find(MethodHandles.lookup(), "word", long.class);

  /** Free permits minus the demand of those who wait, or are on their way to. */
  volatile long word;

  /** Set once, under the lock. */
  volatile boolean closed;

  // Guarded by the lock.

  /** Permits set aside for the queue; negative while a shrink has left a debt. */
  long bank;

  /** Demand that belongs to nobody any more and is not yet withdrawn from the word. */
  long orphan;

  /** The limit as the holder of the lock sees it. Seldom written: it may stand in the next line. */
  long total;
}

/** What else is written each time: with the lock before it and the word after it in one line, or in two that travel in any case. */
abstract class TurnFields extends WaitQueue {
  /** Who was woken early and stands in line yet, if it was not the first when that was written; see {@link AheadQueue}. */
  @Nullable Request ahead;

  /**
   * Whether the first in line is the one that was woken early, and does not stand in {@code ahead}. A flag: to store a reference costs a fence, and
   * this is written each time.
   */
  boolean firstIsAhead;

  /** Whether the first in line is known to be {@linkplain Request#isPlain plain}. */
  boolean firstIsPlain;

  /** Of the epoch. Counts on below zero if many are served at once, or while no epoch counts. */
  int turnsLeft;
}
