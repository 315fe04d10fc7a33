// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.kernel.TransferQueue;
import dev.baton.internal.kernel.TransferQueue.Transfer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value of a channel. */
final class ReceiveClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private final Channel<T> channel;
  private final Function<? super T, ? extends R> action;

  ReceiveClause(Channel<T> channel, Function<? super T, ? extends R> action) {
    this.channel = Objects.requireNonNull(channel, "channel");
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    Object item = channel.queue().pollItem();
    if (item != TransferQueue.ENDED) {
      return item;
    }
    channel.requireNotFailed();
    return OVER;
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(channel, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Receiver(selection, index);
  }

  @Override
  void submit(SelectRequest request) {
    channel.queue().submit((Receiver) request);
  }

  @Override
  void withdraw(SelectRequest request) {
    channel.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    if (request.outcome() != GRANTED) {
      throw channel.ended("receive");
    }
    return request.item();
  }

  @Override
  void giveBack(SelectRequest request) {
    channel.queue().leave(request);
  }

  @Override
  R apply(Object taken) {
    return action.apply(Channel.<T>cast(taken));
  }

  private static final class Receiver extends SelectRequest implements Transfer {
    Receiver(Selection selection, int index) {
      super(selection, index, 0);
    }

    @Override
    public boolean sends() {
      return false;
    }

    @Override
    protected boolean isClaimedByClosing() {
      return false;
    }
  }
}
