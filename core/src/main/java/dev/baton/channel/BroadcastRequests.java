// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.REFUSED;

import dev.baton.internal.kernel.BroadcastQueue;
import dev.baton.internal.kernel.BroadcastQueue.Cursor;
import dev.baton.internal.kernel.BroadcastQueue.Lagged;
import dev.baton.internal.kernel.BroadcastQueue.Receiving;
import dev.baton.internal.kernel.BroadcastQueue.Sending;
import dev.baton.internal.kernel.BroadcastQueue.Slot;
import dev.baton.internal.kernel.Request;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Those who stand in line at a broadcast. */
final class BroadcastRequests {
  private BroadcastRequests() {}

  /** A task that waits to send. */
  static final class Send extends Request implements Sending {
    private final Slot slot;

    Send(Object item, Slot slot) {
      super(0);
      item(item);
      this.slot = slot;
    }

    @Override
    public Slot slot() {
      return slot;
    }
  }

  /** A task that waits to receive. */
  static final class Receive extends Request implements Receiving {
    private final Cursor cursor;
    private long missed;

    Receive(Cursor cursor) {
      super(0);
      this.cursor = cursor;
    }

    /** The item, or Lagged; once granted. */
    Object outcomeItem() {
      return missed > 0 ? new Lagged(missed) : item();
    }

    @Override
    public Cursor cursor() {
      return cursor;
    }

    @Override
    public void missed(long items) {
      missed = items;
    }
  }

  /** A future that waits to send. */
  static final class AsyncSend extends FutureDelivery<Integer> implements Sending {
    private final Slot slot = new Slot();

    AsyncSend(BroadcastQueue queue, Object primitive, Object item, IntFunction<? extends Exception> failure) {
      super(queue, primitive, "Not sent in time; the value was withdrawn.", failure);
      item(item);
    }

    @Override
    public Slot slot() {
      return slot;
    }

    @Override
    protected Exception failure(int outcome) {
      return outcome == REFUSED ? new NoSubscriberException(item()) : super.failure(outcome);
    }

    @Override
    protected Integer value() {
      forgetItem();
      return slot.receivers();
    }
  }

  /** A future that waits to receive. */
  static final class AsyncReceive<T> extends FutureDelivery<T> implements Receiving {
    private final Cursor cursor;
    private final int capacity;
    private long missed;

    AsyncReceive(
        BroadcastQueue queue, Object primitive, Cursor cursor, int capacity, IntFunction<? extends Exception> failure) {
      super(queue, primitive, "Nothing was received in time.", failure);
      this.cursor = cursor;
      this.capacity = capacity;
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
    protected @Nullable Throwable error() {
      return missed > 0 ? new LaggedException(missed, capacity) : null;
    }

    @Override
    protected T value() {
      return Channel.cast(item());
    }
  }
}
