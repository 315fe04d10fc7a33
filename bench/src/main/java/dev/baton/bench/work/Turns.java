// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

/**
 * Whether a worker steps aside now and then. Neither virtual threads nor coroutines are preempted: where nobody has to
 * wait, the first few would run for ever and the others never.
 */
enum Turns {
  /** After 1,024 rounds, so rarely that it does not show in the score. */
  SOMETIMES(1023),
  /** Only by waiting at the gate: who starves there, starves. */
  NEVER(-1L);

  private final long mask;

  Turns(long mask) {
    this.mask = mask;
  }

  boolean over(long round) {
    return (round & mask) == 0;
  }
}
