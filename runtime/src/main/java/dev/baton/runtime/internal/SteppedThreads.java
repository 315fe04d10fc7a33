// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Engine;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Virtual threads on a scheduler of ours, where the JVM lets us make them. */
public final class SteppedThreads {
  /** Where virtual threads run that are none of our tasks: the scheduler of the JVM's own. */
  private static final @Nullable Executor ELSEWHERE = defaultScheduler();

  /** What a thread bequeaths to those that it starts. */
  private static final @Nullable Field INHERITABLE = inheritable();

  private static final @Nullable MethodHandle FACTORY = ELSEWHERE == null ? null : probe();

  private SteppedThreads() {}

  /** Whether such threads can be made, and behave as we need. */
  public static boolean isAvailable() {
    return FACTORY != null;
  }

  static Thread newThread(Executor scheduler, String name, Runnable body) {
    if (FACTORY == null) {
      throw new IllegalStateException(
          "The stepped engine is not available in this JVM: start it with " + Engine.STEPPED_FLAG + ", or use the portable one.");
    }
    return make(FACTORY, scheduler, name, body);
  }

  /** Runs a virtual thread that is none of our tasks on. */
  static void runElsewhere(Runnable continuation) {
    Objects.requireNonNull(ELSEWHERE).execute(continuation);
  }

  private static Thread make(MethodHandle factory, Executor scheduler, String name, Runnable body) {
    try {
      return (Thread) factory.invokeExact(scheduler, name, 0, body);
    } catch (Throwable failure) {
      throw new IllegalStateException("Cannot make a thread for the stepped engine.", failure);
    }
  }

  /** Whether a thread that {@code parent} starts would inherit no thread-locals from it; false if that cannot be told. */
  static boolean bequeathsNothing(Thread parent) {
    try {
      return INHERITABLE != null && INHERITABLE.get(parent) == null;
    } catch (IllegalAccessException impossible) {
      return false;
    }
  }

  private static @Nullable Field inheritable() {
    try {
      Field inheritable = Thread.class.getDeclaredField("inheritableThreadLocals");
      inheritable.setAccessible(true);
      return inheritable;
    } catch (ReflectiveOperationException | RuntimeException notHere) {
      return null;
    }
  }

  private static @Nullable Executor defaultScheduler() {
    try {
      Field scheduler = Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
      scheduler.setAccessible(true);
      return (Executor) scheduler.get(null);
    } catch (ReflectiveOperationException | RuntimeException notHere) {
      return null;
    }
  }

  private static @Nullable MethodHandle probe() {
    try {
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      MethodHandle factory =
          MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
              .findStatic(
                  builders,
                  "newVirtualThread",
                  MethodType.methodType(Thread.class, Executor.class, String.class, int.class, Runnable.class));
      return works(factory) ? factory : null;
    } catch (ReflectiveOperationException | RuntimeException notHere) {
      return null;
    }
  }

  /** Whether starting such a thread asks our scheduler at once, on the calling thread. */
  private static boolean works(MethodHandle factory) {
    AtomicReference<Runnable> asked = new AtomicReference<>();
    Thread thread = make(factory, asked::set, "probe", () -> {});
    thread.start();
    Runnable continuation = asked.get();
    if (continuation != null) {
      // Let it end, or it would be listed for ever. Not here: the caller may be a virtual thread.
      Thread.ofPlatform().daemon().start(continuation);
    }
    return thread.isVirtual() && continuation != null;
  }
}
