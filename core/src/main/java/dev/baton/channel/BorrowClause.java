// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.kernel.Resource;
import dev.baton.internal.kernel.ResourceQueue;
import dev.baton.internal.kernel.ResourceQueue.Borrowing;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.select.Selectables;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A resource of a pool. What is taken is the resource or its slot; only once all others are withdrawn it is made or checked. */
final class BorrowClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private final Selectables.Lending pool;
  private final Function<? super Borrowed<T>, ? extends R> action;

  BorrowClause(Pool<T> pool, Function<? super Borrowed<T>, ? extends R> action) {
    this.pool = Selectables.lending(Objects.requireNonNull(pool, "pool"));
    this.action = Objects.requireNonNull(action, "action");
  }

  /** What was taken, and for whom. */
  private record Taken(Object holder, Resource resource) {}

  @Override
  @Nullable Object poll() {
    Object holder = pool.newHolder();
    Resource taken = pool.queue().take(holder);
    // One that is closed counts as not ready: its error comes only if there is nothing else.
    return taken == null || taken == ResourceQueue.ENDED ? null : new Taken(holder, taken);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Borrower(selection, index, pool.newHolder());
  }

  @Override
  void submit(SelectRequest request) {
    int outcome = pool.queue().submit((Borrower) request);
    if (outcome == GRANTED || (outcome != WAITING && request.selection().claim())) {
      request.decide(outcome);
      request.wake();
    }
  }

  @Override
  void withdraw(SelectRequest request) {
    pool.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    Borrower borrower = (Borrower) request;
    return new Taken(borrower.holder(), borrower.resource());
  }

  @Override
  void giveBack(SelectRequest request) {
    pool.queue().leave(request);
  }

  @Override
  @SuppressWarnings("unchecked") // its pool is one of these
  R apply(Object taken) {
    Taken mine = (Taken) taken;
    return action.apply((Borrowed<T>) pool.lend(mine.holder, mine.resource));
  }

  private static final class Borrower extends SelectRequest implements Borrowing {
    private final Object holder;
    private Resource granted = ResourceQueue.ENDED;

    Borrower(Selection selection, int index, Object holder) {
      super(selection, index, 0);
      this.holder = holder;
    }

    @Override
    public Object holder() {
      return holder;
    }

    @Override
    public void resource(Resource resource) {
      granted = resource;
    }

    @Override
    public Resource resource() {
      return granted;
    }
  }
}
