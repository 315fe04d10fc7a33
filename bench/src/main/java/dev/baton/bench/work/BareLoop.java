// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * The floor of the stepped engine: virtual threads on one platform thread that runs whoever can go on, in order, until nobody
 * can. Only the threads themselves may wake each other. Needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
final class BareLoop implements Executor {
  private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
  private final Method factory;

  BareLoop() {
    try {
      factory =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod("newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      factory.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM makes no virtual threads on a loop", e);
    }
  }

  /** A thread of this loop, not started. */
  Thread newThread(Runnable body) {
    try {
      return (Thread) factory.invoke(null, this, "", 0, body);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("this JVM makes no virtual threads on a loop", e);
    }
  }

  /** Called by whoever starts or wakes a thread: before the loop runs its maker, from then on a thread of the loop. */
  @Override
  public void execute(Runnable continuation) {
    ready.add(continuation);
  }

  /** Runs the threads that were started. */
  void start() {
    Thread.ofPlatform().daemon().name("bare-loop").start(this::run);
  }

  private void run() {
    for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
      next.run();
    }
  }
}
