// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Lends out a limited number of resources; whoever else comes waits. */
public interface Lender {
  Object borrow() throws Exception;

  /** Gives back what {@link #borrow} returned. */
  void giveBack(Object borrowed);

  /** How many resources exist, and how many of them are idle. Equal when everybody has given back: the check that none was lost. */
  int live();

  int idle();
}
