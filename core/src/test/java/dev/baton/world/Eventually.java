// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** For what must come true without anybody being there to wait for it. */
public final class Eventually {
  private Eventually() {}

  /** Lets everything happen in {@code world} until {@code condition} holds; fails if it does not. */
  public static void holds(World world, BooleanSupplier condition) {
    world.settle();
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("nanoseconds beyond all patience").isNegative();
      LockSupport.parkNanos(20_000);
      world.settle();
    }
  }

  /**
   * Lets everything happen in {@code world}, after which {@code threads} must end by themselves; fails if they do not. Not by looking again
   * and again: how often one would look depends on the machine, and is a step of a schedule each time.
   */
  public static void gone(World world, Collection<Thread> threads) {
    world.settle();
    for (Thread thread : threads) {
      try {
        assertThat(thread.join(World.PATIENCE)).as("%s has ended", thread).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts the test", e);
      }
    }
  }
}
