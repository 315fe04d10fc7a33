// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The most threads alive at once, found out after each iteration. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class PeakThreads {
  public long peakThreads;
}
