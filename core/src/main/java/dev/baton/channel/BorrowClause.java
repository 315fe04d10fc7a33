// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.select.Selectables;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A resource of a pool. What is taken is the permit for it; only once all others are withdrawn it is looked for, checked or made. */
final class BorrowClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private static final Object PERMIT = new Object();

  private final Pool<T> whole;
  private final Selectables.Lending pool;
  private final Function<? super Borrowed<T>, ? extends R> action;

  BorrowClause(Pool<T> pool, Function<? super Borrowed<T>, ? extends R> action) {
    this.whole = Objects.requireNonNull(pool, "pool");
    this.pool = Selectables.lending(pool);
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    return pool.queue().tryTake(1) ? PERMIT : null;
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(whole, 1);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new SelectRequest(selection, index, 1);
  }

  @Override
  void submit(SelectRequest request) {
    PermitClause.Requests.submit(pool.queue(), request);
  }

  @Override
  void withdraw(SelectRequest request) {
    pool.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    if (request.outcome() != GRANTED) {
      throw pool.failure(request.outcome());
    }
    return PERMIT;
  }

  @Override
  void giveBack(SelectRequest request) {
    pool.queue().leave(request);
  }

  @Override
  @SuppressWarnings("unchecked") // its pool lends nothing else
  R apply(Object taken) {
    return action.apply((Borrowed<T>) pool.lend());
  }
}
