// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

/**
 * The limit of a queue of permits, a cache line away from the word that stands behind it.
 *
 * <p>Every return reads the limit just after it has changed the word. In one line with it, the read would often fetch back what the
 * next core is waiting for: four permits on two cores changed hands a third more slowly.
 */
@SuppressWarnings("unused") // the line in between
abstract class LimitedQueue extends WaitQueue {
  /** The limit as returns see it, read after their fetch-add. A shrink publishes it first, a growth last. */
  volatile long limit;

  private long gap1;
  private long gap2;
  private long gap3;
  private long gap4;
  private long gap5;
  private long gap6;
  private long gap7;
}
