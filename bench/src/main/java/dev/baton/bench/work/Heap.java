// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

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

  /** Bytes in the stacks of threads that are parked, which a virtual thread keeps on the heap. */
  static long stacks() {
    try {
      Object histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      // A line is: rank, instances, bytes, class.
      return histogram
          .toString()
          .lines()
          .filter(line -> line.contains("jdk.internal.vm.StackChunk "))
          .mapToLong(line -> Long.parseLong(line.strip().split("\\s+", -1)[2]))
          .sum();
    } catch (JMException e) {
      throw new IllegalStateException("this JVM gives no histogram of its heap", e);
    }
  }
}
