// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import org.jspecify.annotations.Nullable;

/** A clause that is ready or has to be waited for. */
abstract non-sealed class WaitingClause<R extends @Nullable Object> extends Clause<R> {
  /** What {@link #poll} returns if this can never be served any more. */
  static final Object OVER = new Object();

  /**
   * Takes it if that is possible at once.
   *
   * @return what was taken; {@link #OVER}; or null if it would have to wait
   */
  abstract @Nullable Object poll();

  /** What is waited for, as people know it. */
  abstract Alternatives.Part awaited();

  /** A request that waits for it, as number {@code index} of {@code selection}. */
  abstract SelectRequest request(Selection selection, int index);

  /** Lets {@code request} be served or wait. Its selection may be claimed at any time. */
  abstract void submit(SelectRequest request);

  /** Takes a request that was not served out of its line. */
  abstract void withdraw(SelectRequest request);

  /** What was taken, now that {@code request} has been served. */
  abstract Object taken(SelectRequest request);

  /** Gives back what {@code request} was served, as far as that is possible: nobody will ever use it. */
  abstract void giveBack(SelectRequest request);

  /** What the select returns, now that this is the one, and {@code taken} is what was taken. */
  abstract R apply(Object taken);
}
