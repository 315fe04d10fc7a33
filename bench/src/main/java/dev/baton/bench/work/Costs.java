// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the pairs of one iteration cost and how evenly they were spread. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Costs {
  public long rounds;
  public long cpuNanos;
  public long allocatedBytes;
  public long leastPerWorker;
  public long mostPerWorker;
}
