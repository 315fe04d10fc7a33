// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.observe.Waits;
import dev.baton.internal.observe.Watch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One wait: decided once by whoever grants or refuses it, then woken.
 *
 * <pre>
 *   WAITING ──decide(x)──▶ x          under the lock of the primitive
 *                          └─wake()   after that lock is gone
 * </pre>
 *
 * The sleeper stores {@code asleep} and then loads {@code outcome}; the waker stores {@code outcome} and then loads
 * {@code asleep}, each with a full fence between, so at least one of the two sees the other and no wake-up is lost. (Where the
 * sleeper did so under the lock of the primitive, the waker, who took that lock later, sees it without a fence; and a waker that
 * sees somebody asleep leaves the fence to {@link Host#unpark}.) The waker unparks also a sleeper that was woken early: a granted waiter must not depend on a third thread.
 */
public abstract class Waiter {
  /** Not decided yet. */
  public static final int WAITING = 0;

  /** What was asked for is now held. */
  public static final int GRANTED = 1;

  /** The primitive was closed first. */
  public static final int CLOSED = 2;

  /** The request can never be granted. */
  public static final int REFUSED = 3;

  /** Too much is being waited for already. */
  public static final int OVERFULL = 4;

  /** Result of {@link #await}: the task was interrupted first; its flag is cleared. */
  public static final int INTERRUPTED = -1;

  /** Result of {@link #await}: the deadline passed first. */
  public static final int TIMED_OUT = -2;

  /** A wait without a deadline. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** How long the next in line looks for its turn before it sleeps: about the price of waking a sleeping core. In microseconds. */
  private static final byte BRIEFLY = 2;

  /** How long one does that has others before it. */
  private static final byte LONGER = 16;

  private static final int LOOKS_PER_CLOCK_READING = 16;

  private static final VarHandle OUTCOME = Fields.find(MethodHandles.lookup(), "outcome", int.class);

  private static final VarHandle ASLEEP = Fields.find(MethodHandles.lookup(), "asleep", boolean.class);

  private final Host host;
  private final @Nullable Object task;
  private volatile int outcome;
  private volatile boolean asleep;

  /** A hint: for so many microseconds this waiter may spin. */
  private byte patience;

  /** Whether those who want to know of the wait do. Of the task that waits. */
  private boolean seen;

  /** A wait of {@code task}, or of nobody in particular if null (then {@link #wake} must be overridden). */
  protected Waiter(Host host, @Nullable Object task) {
    this.host = host;
    this.task = task;
  }

  /** The host of whoever waits. */
  public final Host host() {
    return host;
  }

  /** The task that waits, or null if a callback does. */
  public final @Nullable Object task() {
    return task;
  }

  /** What was decided, or {@link #WAITING}. */
  public final int outcome() {
    return outcome;
  }

  /** Whether it sleeps, or has said that it will, or has been woken and not been there yet. */
  public final boolean isAsleep() {
    return asleep;
  }

  /** Decides this wait. Called once, under the lock of its queue, by whoever takes it out of that. */
  public final void decide(int outcome) {
    // Release, with the fence left to wake: under the lock nobody waits until the other core has seen it.
    OUTCOME.setRelease(this, outcome);
  }

  /** Tells the waiter that it is decided. Called once, after {@link #decide}, with no lock held. */
  public void wake() {
    // Who was seen asleep once is unparked, even if it has woken for no reason meanwhile: it may not have seen the outcome, and to unpark
    // it orders what it finds.
    boolean seenAsleep = asleep;
    if (!seenAsleep) {
      VarHandle.fullFence();
      seenAsleep = asleep;
    }
    if (seenAsleep) {
      host.unpark(this);
    }
  }

  /** Marks this waiter as next in line: it may spin. */
  public void markFirst() {
    patience = BRIEFLY;
  }

  /** Marks this waiter as one that may spin though it has others before it. */
  public final void lookLonger() {
    patience = LONGER;
  }

  /** Whether it was marked so. */
  public final boolean looksLonger() {
    return patience == LONGER;
  }

  /**
   * Says that this waiter sleeps, unless it may spin first. Called under the lock that whoever decides this wait takes later: so
   * that one sees it, and the sleeper needs no fence.
   */
  public final void announceSleep() {
    if (patience == 0 || !host.maySpin()) {
      ASLEEP.set(this, true);
    }
  }

  /** Wakes a sleeping waiter whose turn comes soon, so that it is running when it does. Changes no outcome. */
  public void wakeEarly() {
    if (patience == 0) {
      patience = BRIEFLY;
    }
    if (asleep && host.maySpin()) {
      host.unpark(this);
    }
  }

  /**
   * Waits until decided, interrupted (only if {@code interruptible}), or {@code nanos} have passed.
   *
   * @return the outcome, {@link #INTERRUPTED} or {@link #TIMED_OUT}; in the latter two cases the caller has to withdraw
   *     the wait, and may find that it was decided first
   */
  public final int await(Object blocker, boolean interruptible, long nanos) {
    // Who waits for itself only sleeps; whoever stood in line has waited, even if it was served before it slept.
    if (Watch.seesWaits() && !seen && blocker != this && nanos > 0) {
      return awaitSeen(blocker, interruptible, nanos);
    }
    // Kept short, and with nothing around it: a million sleepers keep its frame.
    boolean timed = nanos != FOREVER;
    long deadline = timed ? host.nanoTime() + nanos : 0;
    boolean restoreInterrupt = false;
    try {
      while (true) {
        // Before the outcome: when both are seen, the interrupt wins.
        if (Interrupts.clear()) {
          if (interruptible) {
            return INTERRUPTED;
          }
          restoreInterrupt = true;
        }
        if (outcome != WAITING) {
          return outcome;
        }
        if (timed && deadline - host.nanoTime() <= 0) {
          return TIMED_OUT;
        }
        if (patience > 0 && host.maySpin() && spins()) {
          continue;
        }
        if (!asleep) {
          asleep = true;
        }
        if (outcome == WAITING) {
          if (timed) {
            host.parkUntil(this, blocker, deadline);
          } else {
            host.park(this, blocker);
          }
        }
        // Opaque: a waker that still sees it asleep only unparks once more.
        ASLEEP.setOpaque(this, false);
      }
    } finally {
      if (restoreInterrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same, while somebody wants to know of it. */
  private int awaitSeen(Object blocker, boolean interruptible, long nanos) {
    Waits.Entry known = Waits.begin(this, blocker);
    int ended = Waits.GIVEN_UP;
    seen = true;
    try {
      ended = await(blocker, interruptible, nanos);
      return ended;
    } finally {
      seen = false;
      if (known != null) {
        Waits.end(known, ended);
      }
    }
  }

  /** Looks for the outcome for a moment, if that seems worth a core. True: there is one. */
  protected boolean spins() {
    return spin();
  }

  /** Looks for the outcome for a moment. True: there is one. */
  protected final boolean spin() {
    long end = host.nanoTime() + patience * 1_000L;
    do {
      for (int i = 0; i < LOOKS_PER_CLOCK_READING; i++) {
        if (outcome != WAITING) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (host.nanoTime() - end < 0);
    return false;
  }
}
