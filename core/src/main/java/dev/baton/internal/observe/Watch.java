// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.observe.Tracking;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/**
 * How much is being written down, as the primitives ask for it.
 *
 * <p>Until tracking is turned on for the first time, the question is a constant {@code false} that the JIT removes. After that it is
 * a look at a field, also once it is off again: a constant that changed to and fro would have everything compiled anew each time.
 */
public final class Watch {
  private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(boolean.class, false));
  private static final MethodHandle USED = SITE.dynamicInvoker();

  private static volatile Tracking level = Tracking.OFF;

  private Watch() {}

  /** Whether anything was ever written down. */
  public static boolean used() {
    try {
      return (boolean) USED.invokeExact();
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
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

  /** How much is written down. */
  public static Tracking level() {
    return used() ? level : Tracking.OFF;
  }

  /** Writes down so much from now on. */
  public static synchronized void set(Tracking newLevel) {
    level = newLevel;
    if (newLevel.isOn() && !used()) {
      SITE.setTarget(MethodHandles.constant(boolean.class, true));
      MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }
  }
}
