// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.sync.VoidBody;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** For tests of what is on threads only, by the machine's clock. */
public final class RealTime {
  private static final long BETWEEN_LOOKS = 200_000;

  private RealTime() {}

  /** Waits until {@code condition} holds; fails if it does not. */
  public static void eventually(BooleanSupplier condition) {
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("nanoseconds beyond all patience").isNegative();
      LockSupport.parkNanos(BETWEEN_LOOKS);
    }
  }

  /** Lets so much time pass, and hardly more: for what is measured, not for what is to happen meanwhile. */
  public static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Starts a virtual thread that may end as it likes. */
  public static Thread start(VoidBody<Exception> body) {
    return start("", body);
  }

  /** The same with a name. */
  public static Thread start(String name, VoidBody<Exception> body) {
    return Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              try {
                body.run();
              } catch (Exception ended) {
                // As the test wants it.
              }
            });
  }
}
