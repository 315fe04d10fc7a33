// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.host.Alternatives;
import dev.baton.host.Waiter;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.kernel.TransferQueue.Transfer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Somebody to take a value, or room for it. */
final class SendClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private static final Object SENT = "sent";

  private final Channel<T> channel;
  private final Supplier<? extends T> value;
  private final Supplier<? extends R> action;

  SendClause(Channel<T> channel, Supplier<? extends T> value, Supplier<? extends R> action) {
    this.channel = Objects.requireNonNull(channel, "channel");
    this.value = Objects.requireNonNull(value, "value");
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    if (channel.queue().end() != null) {
      // Nobody is asked for what cannot be sent.
      return over();
    }
    return switch (channel.queue().offer(Objects.requireNonNull(value.get(), "value"))) {
      case Waiter.GRANTED -> SENT;
      case Waiter.CLOSED -> over();
      default -> null;
    };
  }

  private Object over() {
    channel.requireNotFailed();
    return OVER;
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(channel, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    // An ended channel takes nothing, so it does not matter what would be sent.
    return new Sender(selection, index, channel.queue().end() != null ? OVER : Objects.requireNonNull(value.get(), "value"));
  }

  @Override
  void submit(SelectRequest request) {
    channel.queue().submit((Sender) request);
  }

  @Override
  void withdraw(SelectRequest request) {
    channel.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    if (request.outcome() != Waiter.GRANTED) {
      throw channel.ended("send");
    }
    return SENT;
  }

  @Override
  void giveBack(SelectRequest request) {
    // It was sent, and somebody may have received it.
  }

  @Override
  R apply(Object taken) {
    return action.get();
  }

  private static final class Sender extends SelectRequest implements Transfer {
    Sender(Selection selection, int index, Object item) {
      super(selection, index, 0);
      item(item);
    }

    @Override
    public boolean sends() {
      return true;
    }

    @Override
    protected boolean isClaimedByClosing() {
      return false;
    }
  }
}
