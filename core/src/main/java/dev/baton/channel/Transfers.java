// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.TransferQueue;
import dev.baton.internal.kernel.TransferQueue.Transfer;
import dev.baton.internal.threads.Spinning;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Those who stand in line at a channel. */
final class Transfers {
  private Transfers() {}

  /** A task that waits. */
  abstract static class Waiting extends Request implements Transfer {
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
    Send(Object item) {
      item(item);
    }

    @Override
    public boolean sends() {
      return true;
    }
  }

  /** A task that waits to receive. */
  static final class Receive extends Waiting {
    @Override
    public boolean sends() {
      return false;
    }
  }

  /** A future that waits to send. */
  static final class AsyncSend extends FutureDelivery<Void> implements Transfer {
    AsyncSend(TransferQueue queue, Object primitive, Object item, IntFunction<? extends Exception> failure) {
      super(queue, primitive, "Not sent in time; the value was withdrawn.", failure);
      item(item);
    }

    @Override
    public boolean sends() {
      return true;
    }

    @Override
    @SuppressWarnings("NullAway") // Void has no other value
    protected Void value() {
      forgetItem();
      return null;
    }
  }

  /** A future that waits to receive. */
  static final class AsyncReceive<T> extends FutureDelivery<T> implements Transfer {
    private final TransferQueue queue;

    AsyncReceive(TransferQueue queue, Object primitive, IntFunction<? extends Exception> failure) {
      super(queue, primitive, "Nothing was received in time.", failure);
      this.queue = queue;
    }

    @Override
    public boolean sends() {
      return false;
    }

    @Override
    protected T value() {
      return Channel.cast(item());
    }

    @Override
    protected void giveBack() {
      // Delivery wins, unless the future was obtruded: then nobody gets the value.
      queue.leave(this);
    }
  }
}
