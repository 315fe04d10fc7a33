// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that a {@link Select} waits for, and what to do if it is the first. Made by the methods of {@code Select}; may be
 * used in several selects, also at once.
 *
 * @param <R> what the select returns
 */
public abstract sealed class Clause<R extends @Nullable Object> permits WaitingClause, Clause.After, Clause.Otherwise {
  Clause() {}

  /** What to do when the time is over. */
  static final class After<R extends @Nullable Object> extends Clause<R> {
    final long nanos;
    final Supplier<? extends R> action;

    After(long nanos, Supplier<? extends R> action) {
      this.nanos = nanos;
      this.action = action;
    }
  }

  /** What to do when nothing is ready. */
  static final class Otherwise<R extends @Nullable Object> extends Clause<R> {
    final Supplier<? extends R> action;

    Otherwise(Supplier<? extends R> action) {
      this.action = action;
    }
  }
}
