// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Commands that reached the server in a second in which nobody acquired or released anything. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class IdleCommands {
  public double idleCommands;
}
