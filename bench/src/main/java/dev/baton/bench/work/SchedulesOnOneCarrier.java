// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.Fork;

/** The same search where virtual threads have a single carrier. */
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    })
public class SchedulesOnOneCarrier extends Schedules {}
