// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

/** A decider that may also turn what was drawn by chance, so that a search can vary it. */
public interface Chance {
  /** Of more, such as an id or a jitter, not every one is worth a schedule: those stay random. */
  int MOST = 64;

  /** By how much, from 0 to {@code bound} - 1, one of so many is turned. Called by whoever has the turn. */
  int turnFrom(int bound);
}
