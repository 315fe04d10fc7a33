// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/**
 * A turn that two threads, of sides 0 and 1, pass to and fro. Whoever has it gives it to the other side and then takes it back.
 */
public interface Relay {
  /** Hands the turn over. Called by the side that has it. */
  void give(int to) throws Exception;

  /** Waits until {@code side}, which is the caller's own, has been given the turn. */
  void take(int side) throws Exception;
}
