// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.Fork;

/** The same selects where virtual threads have a single carrier, and Kotlin's dispatcher a single thread. */
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1",
      "-Dkotlinx.coroutines.scheduler.core.pool.size=1",
      "-Dkotlinx.coroutines.scheduler.max.pool.size=1"
    })
public class SelectMessagesOnOneCarrier extends SelectMessages {}
