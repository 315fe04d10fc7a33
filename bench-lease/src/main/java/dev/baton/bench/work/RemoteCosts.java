// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What callers waited in one iteration, how evenly they were served, and what was sent for it. Negative: not known. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class RemoteCosts {
  public double p99WaitNanos;
  public double spreadPercent;
  public double commandsPerRound;
  public double commandsPerAcquire;
  public double commandsPerRelease;
}
