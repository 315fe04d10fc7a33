// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.BroadcastQueue.Cursor;
import dev.baton.internal.kernel.BroadcastQueue.Receiving;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value of a broadcast, at one of its subscriptions. */
final class HearClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private final Subscription<T> subscription;
  private final Function<? super T, ? extends R> action;

  HearClause(Subscription<T> subscription, Function<? super T, ? extends R> action) {
    this.subscription = Objects.requireNonNull(subscription, "subscription");
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    return subscription.pollOr(OVER);
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(subscription, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Receiver(selection, index, subscription.cursor());
  }

  @Override
  void submit(SelectRequest request) {
    subscription.queue().submitSelected((Receiver) request);
  }

  @Override
  void withdraw(SelectRequest request) {
    subscription.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    Receiver receiver = (Receiver) request;
    if (receiver.outcome() != GRANTED) {
      throw subscription.ended();
    }
    if (receiver.missed > 0) {
      throw subscription.lagged(receiver.missed);
    }
    return receiver.item();
  }

  @Override
  void giveBack(SelectRequest request) {
    // It has passed the cursor: others may have received what came after it.
  }

  @Override
  R apply(Object taken) {
    return action.apply(Channel.<T>cast(taken));
  }

  private static final class Receiver extends SelectRequest implements Receiving {
    private final Cursor cursor;
    private long missed;

    Receiver(Selection selection, int index, Cursor cursor) {
      super(selection, index, 0);
      this.cursor = cursor;
    }

    @Override
    public Cursor cursor() {
      return cursor;
    }

    @Override
    public void missed(long items) {
      missed = items;
    }

    @Override
    protected boolean isClaimedByClosing() {
      return false;
    }
  }
}
