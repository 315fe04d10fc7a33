// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.internal.jfr.Flight;
import dev.baton.internal.kernel.Failures;
import dev.baton.observe.Tracking;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/**
 * How much is being written down, as the primitives ask for it.
 *
 * <p>Until something is turned on for the first time, the question is a constant {@code false} that the JIT removes. After that it is
 * a look at a field, also once it is off again: a constant that changed to and fro would have everything compiled anew each time.
 * Whether a flight recording wants something is asked of its event, which is such a constant too until the first recording.
 */
public final class Watch {
  private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(boolean.class, false));
  private static final MethodHandle USED = SITE.dynamicInvoker();

  private static volatile Tracking level = Tracking.OFF;

  /** Whether somebody wants to know how long named things are waited for and held. */
  private static volatile boolean timed;

  private Watch() {}

  /** Whether anything was ever written down. */
  public static boolean used() {
    try {
      return (boolean) USED.invokeExact();
    } catch (Throwable noRoom) {
      // A constant throws nothing: the stack or the memory is at its end, and that is for whoever has used it up to know.
      throw Failures.<RuntimeException>rethrow(noRoom);
    }
  }

  /** Whether holders and waits are written down. */
  public static boolean isOn() {
    return used() && level != Tracking.OFF;
  }

  /** Whether lines are written down too. */
  public static boolean withStacks() {
    return used() && level == Tracking.STACKS;
  }

  /** Whether named things are timed. */
  public static boolean isTimed() {
    return used() && timed;
  }

  /** Whether anybody wants to know of a wait: asked by those who have to. */
  public static boolean seesWaits() {
    return isOn() || isTimed() || Flight.recordsWaits();
  }

  /** Whether anybody wants to know who holds something, or for how long. */
  public static boolean seesHolds() {
    return isOn() || isTimed();
  }

  /** How much is written down. */
  public static Tracking level() {
    return used() ? level : Tracking.OFF;
  }

  /** Writes down so much from now on. */
  public static synchronized void set(Tracking newLevel) {
    level = newLevel;
    if (newLevel.isOn()) {
      use();
    }
  }

  /** Times named things from now on, or no more. */
  public static synchronized void time(boolean on) {
    timed = on;
    if (on) {
      use();
    }
  }

  /** From now on, and for good, the fields are asked. */
  public static synchronized void use() {
    if (!used()) {
      SITE.setTarget(MethodHandles.constant(boolean.class, true));
      MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }
  }
}
