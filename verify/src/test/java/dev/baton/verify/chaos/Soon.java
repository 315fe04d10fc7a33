// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** For what other processes do. */
final class Soon {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Soon() {}

  /** Returns when {@code condition} holds; fails if it does not. */
  static void holds(String what, BooleanSupplier condition) {
    if (!within(PATIENCE, condition)) {
      throw new IllegalStateException("Not even after " + PATIENCE + ": " + what);
    }
  }

  /** Whether {@code condition} comes to hold within {@code time}. */
  static boolean within(Duration time, BooleanSupplier condition) {
    long end = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return true;
  }

  static void pause(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
