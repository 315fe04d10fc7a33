// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.Fork;

/**
 * The same hops where virtual threads have a single carrier: no luck of the scheduler, so what is left is the cost of a hop
 * itself.
 */
@Fork(
    value = 1,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    })
public class HopOnOneCarrier extends Hop {}
