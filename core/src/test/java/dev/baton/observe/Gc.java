// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.world.World;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** For what the garbage collector has to do first. */
final class Gc {
  private Gc() {}

  /** Has garbage collected again and again until {@code condition} holds; fails if it does not. */
  static void until(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as(what).isNegative();
      System.gc();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Whether it has run since this was called: collects something of its own. */
  static boolean hasRun() {
    WeakReference<Object> canary = new WeakReference<>(new Object());
    System.gc();
    return canary.refersTo(null);
  }
}
