// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.lang.management.ManagementFactory;

/** The heap after everything that can go is gone. */
final class Heap {
  private static final long STILL = 4_096;
  private static final int ATTEMPTS = 10;

  private Heap() {}

  /** Bytes in use once collecting again no longer changes them. */
  static long settled() {
    long last = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (Math.abs(last - used) <= STILL) {
        return used;
      }
      last = used;
    }
    return last;
  }
}
