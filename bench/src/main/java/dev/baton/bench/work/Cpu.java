// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the messages of one iteration cost in CPU time of the whole process. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Cpu {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public long messages;
  public long cpuNanos;

  /** Runs what {@code traffic} makes: so many messages. */
  void run(Supplier<Traffic> traffic, int messages) throws InterruptedException {
    long start = SYSTEM.getProcessCpuTime();
    traffic.get().run();
    cpuNanos += SYSTEM.getProcessCpuTime() - start;
    this.messages += messages;
  }
}
