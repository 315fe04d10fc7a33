// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Settled heap, in bytes, before a queue was built, while it stood, and after it was taken down. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class HeapUse {
  public long heapBefore;
  public long heapQueued;
  public long heapAfter;
}
