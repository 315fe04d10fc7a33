// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Pairs of enter and leave, which JMH divides by the time they took: the score of every row with many workers. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Pairs {
  public long pairs;
}
