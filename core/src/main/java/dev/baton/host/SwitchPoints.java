// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.kernel.Failures;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import org.jspecify.annotations.Nullable;

/**
 * The places where a cooperative host may let another task run: the start of every operation of every primitive.
 *
 * <p>Until the first cooperative host of the JVM starts, the question is a constant {@code false} that the JIT removes.
 */
public final class SwitchPoints {
  private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(boolean.class, false));
  private static final MethodHandle ACTIVE = SITE.dynamicInvoker();

  private SwitchPoints() {}

  /** Says that {@code primitive} is about to be operated on. */
  public static void reach(Object primitive) {
    if (active()) {
      Hosts.current().switchPoint(primitive);
    }
  }

  /**
   * The same; returns the host of the calling task for what follows in the operation, or null while there are only ordinary threads.
   * To find it takes a few nanoseconds, and an operation needs it several times.
   */
  public static @Nullable Host reached(Object primitive) {
    if (!active()) {
      return null;
    }
    Host host = Hosts.current();
    host.switchPoint(primitive);
    return host;
  }

  /** Turns switch points on, for good and for all threads. A cooperative host calls this before it runs a task. */
  public static synchronized void activate() {
    if (!active()) {
      SITE.setTarget(MethodHandles.constant(boolean.class, true));
      MutableCallSite.syncAll(new MutableCallSite[] {SITE});
    }
  }

  /** Whether a cooperative host has ever started. */
  static boolean active() {
    try {
      return (boolean) ACTIVE.invokeExact();
    } catch (Throwable noRoom) {
      // A constant throws nothing: the stack or the memory is at its end, and that is for whoever has used it up to know.
      throw Failures.<RuntimeException>rethrow(noRoom);
    }
  }
}
