// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Lets a limited number of threads in at a time; whoever else comes waits. */
public interface Gate {
  void enter() throws InterruptedException;

  void leave();

  /** How many could enter now. Equal to the limit when everybody has left: the check that no permit was lost. */
  long free();
}
