// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Settled heap per parked virtual thread: all that hangs on it, and how much of that is its stack. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ThreadFootprint {
  public double bytesPerThread;
  public double stackBytesPerThread;
}
