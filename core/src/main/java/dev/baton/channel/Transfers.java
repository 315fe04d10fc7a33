// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.TransferQueue;
import dev.baton.internal.kernel.TransferQueue.Transfer;
import dev.baton.internal.threads.Spinning;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Those who stand in line at a channel. */
final class Transfers {
  private Transfers() {}

  /** A task that waits. */
  private abstract static class Waiting extends Request implements Transfer {
    Waiting() {
      super(0);
    }

    @Override
    protected final boolean spins() {
      if (!Spinning.pays()) {
        return false;
      }
      boolean decided = spin();
      Spinning.tried(decided);
      return decided;
    }
  }

  /** A task that waits to send. */
  static final class Send extends Waiting {
    private final Object item;

    Send(Object item) {
      this.item = item;
    }

    @Override
    public boolean sends() {
      return true;
    }

    @Override
    public Object item() {
      return item;
    }

    @Override
    public void item(Object received) {
      throw new IllegalStateException("one that sends was given something");
    }
  }

  /** A task that waits to receive. */
  static final class Receive extends Waiting {
    private @Nullable Object item;

    @Override
    public boolean sends() {
      return false;
    }

    @Override
    public Object item() {
      return Objects.requireNonNull(item);
    }

    @Override
    public void item(Object received) {
      item = received;
    }
  }

  /** A future that waits to send. */
  static final class AsyncSend extends AsyncRequest<Void> implements Transfer {
    private final Object primitive;
    private final Object item;
    private final Supplier<? extends Exception> ended;

    AsyncSend(TransferQueue queue, Object primitive, Object item, Supplier<? extends Exception> ended) {
      super(queue, 0);
      this.primitive = primitive;
      this.item = item;
      this.ended = ended;
    }

    @Override
    protected Object primitive() {
      return primitive;
    }

    @Override
    public boolean sends() {
      return true;
    }

    @Override
    public Object item() {
      return item;
    }

    @Override
    public void item(Object received) {
      throw new IllegalStateException("one that sends was given something");
    }

    @Override
    @SuppressWarnings("NullAway") // Void has no other value
    protected Void value() {
      return null;
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
      return ended.get();
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("Not sent in time; the value was withdrawn.");
    }
  }

  /** A future that waits to receive. */
  static final class AsyncReceive<T> extends AsyncRequest<T> implements Transfer {
    private final Object primitive;
    private final TransferQueue queue;
    private final Supplier<? extends Exception> ended;
    private @Nullable Object item;

    AsyncReceive(TransferQueue queue, Object primitive, Supplier<? extends Exception> ended) {
      super(queue, 0);
      this.primitive = primitive;
      this.queue = queue;
      this.ended = ended;
    }

    @Override
    protected Object primitive() {
      return primitive;
    }

    @Override
    public boolean sends() {
      return false;
    }

    @Override
    public Object item() {
      return Objects.requireNonNull(item);
    }

    @Override
    public void item(Object received) {
      item = received;
    }

    @Override
    protected T value() {
      return Channel.cast(item());
    }

    @Override
    protected boolean deliveryWins() {
      return true;
    }

    @Override
    protected void giveBack() {
      // Delivery wins, unless the future was obtruded: then nobody gets the value.
      queue.leave(this);
    }

    @Override
    protected Exception failure(int outcome) {
      return ended.get();
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("Nothing was received in time.");
    }
  }
}
