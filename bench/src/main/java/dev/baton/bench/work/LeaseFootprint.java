// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What one of many leases takes of the heap while it is held, and of the CPU when its time is over. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class LeaseFootprint {
  public double heapPerLease;
  public double expiryCpuNanos;
}
