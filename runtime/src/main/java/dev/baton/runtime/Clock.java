// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import java.time.Instant;
import java.util.Objects;

/** What time it is for tasks: {@code Time.now()}, sleeps, time-outs and deadlines. */
public sealed interface Clock {

  /** {@return the machine's clock} */
  static Clock real() {
    return Real.REAL;
  }

  /** {@return a clock that starts at the epoch and stands still while a task can run; then it jumps to the next timer} */
  static Clock virtual() {
    return virtual(Instant.EPOCH);
  }

  /**
   * {@return a clock that starts at {@code start} and stands still while a task can run; then it jumps to the next
   * timer}
   *
   * @param start what {@link dev.baton.scope.Time#now} says at first
   */
  static Clock virtual(Instant start) {
    return new Virtual(Objects.requireNonNull(start, "start"));
  }

  /** The machine's clock. */
  enum Real implements Clock {
    /** The only one. */
    REAL
  }

  /**
   * A clock that stands still while a task can run.
   *
   * @param start what it says first
   */
  record Virtual(Instant start) implements Clock {}
}
