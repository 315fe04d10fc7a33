// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.BroadcastQueue;
import dev.baton.internal.kernel.BroadcastQueue.Cursor;
import dev.baton.internal.kernel.BroadcastQueue.Lagged;
import dev.baton.internal.kernel.BroadcastQueue.Receiving;
import dev.baton.internal.kernel.BroadcastQueue.Sending;
import dev.baton.internal.kernel.BroadcastQueue.Slot;
import dev.baton.internal.kernel.Request;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Those who stand in line at a broadcast. */
final class BroadcastRequests {
  private BroadcastRequests() {}

  /** A task that waits to send. */
  static final class Send extends Request implements Sending {
    private final Object item;
    private final Slot slot;

    Send(Object item, Slot slot) {
      super(0);
      this.item = item;
      this.slot = slot;
    }

    @Override
    public Object item() {
      return item;
    }

    @Override
    public Slot slot() {
      return slot;
    }
  }

  /** A task that waits to receive. */
  static final class Receive extends Request implements Receiving {
    private final Cursor cursor;
    private @Nullable Object item;
    private long missed;

    Receive(Cursor cursor) {
      super(0);
      this.cursor = cursor;
    }

    /** The item, or Lagged; once granted. */
    Object outcomeItem() {
      return missed > 0 ? new Lagged(missed) : Objects.requireNonNull(item);
    }

    @Override
    public Cursor cursor() {
      return cursor;
    }

    @Override
    public void item(Object received) {
      item = received;
    }

    @Override
    public void missed(long items) {
      missed = items;
    }
  }

  /** A future that waits to send. */
  static final class AsyncSend extends AsyncRequest<Integer> implements Sending {
    private final Object primitive;
    private final Object item;
    private final Slot slot = new Slot();
    private final IntFunction<? extends Exception> failure;

    AsyncSend(BroadcastQueue queue, Object primitive, Object item, IntFunction<? extends Exception> failure) {
      super(queue, 0);
      this.primitive = primitive;
      this.item = item;
      this.failure = failure;
    }

    @Override
    protected Object primitive() {
      return primitive;
    }

    @Override
    public Object item() {
      return item;
    }

    @Override
    public Slot slot() {
      return slot;
    }

    @Override
    protected Integer value() {
      return slot.receivers();
    }

    @Override
    protected boolean deliveryWins() {
      return true;
    }

    @Override
    protected void giveBack() {
      // It was sent.
    }

    @Override
    protected Exception failure(int outcome) {
      return failure.apply(outcome);
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("Not sent in time; the value was withdrawn.");
    }
  }

  /** A future that waits to receive. */
  static final class AsyncReceive<T> extends AsyncRequest<T> implements Receiving {
    private final Object primitive;
    private final Cursor cursor;
    private final int capacity;
    private final IntFunction<? extends Exception> failure;
    private @Nullable Object item;
    private long missed;

    AsyncReceive(
        BroadcastQueue queue, Object primitive, Cursor cursor, int capacity, IntFunction<? extends Exception> failure) {
      super(queue, 0);
      this.primitive = primitive;
      this.cursor = cursor;
      this.capacity = capacity;
      this.failure = failure;
    }

    @Override
    protected Object primitive() {
      return primitive;
    }

    @Override
    public Cursor cursor() {
      return cursor;
    }

    @Override
    public void item(Object received) {
      item = received;
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
      return Channel.cast(Objects.requireNonNull(item));
    }

    @Override
    protected boolean deliveryWins() {
      return true;
    }

    @Override
    protected void giveBack() {
      // Delivery wins, unless the future was obtruded: then whoever did so has the last word.
    }

    @Override
    protected Exception failure(int outcome) {
      return failure.apply(outcome);
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("Nothing was received in time.");
    }
  }
}
