// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** For what other processes do. */
final class Soon {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Soon() {}

  /** Returns when {@code condition} holds; fails if it does not. */
  static void holds(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("nanoseconds beyond all patience").isNegative();
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
