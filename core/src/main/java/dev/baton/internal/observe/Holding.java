// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who has what others wait for.
 *
 * @param task the number of the task, or {@link Taker#NOBODY} if it is not known or there is none
 * @param taker what is known about it, a {@link Taker}; null if no more than the number
 * @param permits how many; 0 where nothing is counted
 * @param reason why the task is not known; empty if it is
 */
public record Holding(long task, @Nullable Object taker, long permits, String reason) {

  /** A hold by {@code task}; {@code taker} counts only if it is that task: it may have been read a moment apart. */
  public static Holding by(long task, @Nullable Object taker, long permits) {
    return new Holding(task, taker != null && Taker.number(taker) == task ? taker : null, permits, "");
  }

  /** A hold by somebody who is not known. */
  public static Holding unknown(long permits, String reason) {
    return new Holding(Taker.NOBODY, null, permits, reason);
  }
}
