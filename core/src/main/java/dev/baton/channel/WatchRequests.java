// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.channel.WatchQueue.Mark;
import dev.baton.channel.WatchQueue.Version;
import dev.baton.channel.WatchQueue.Watching;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Request;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Those who wait for a value. */
final class WatchRequests {
  private WatchRequests() {}

  /** A task that waits for a value that was not seen. */
  static final class Change extends Request implements Watching {
    private final Mark mark;
    private @Nullable Version version;

    Change(Mark mark) {
      super(0);
      this.mark = mark;
    }

    Version version() {
      return Objects.requireNonNull(version);
    }

    @Override
    public long known() {
      return mark.seen();
    }

    @Override
    public Mark mark() {
      return mark;
    }

    @Override
    public void version(Version given) {
      version = given;
    }
  }

  /** A task that waits for a value later than the one it has looked at, seen or not. */
  static final class Later extends Request implements Watching {
    private final Version looked;
    private @Nullable Version version;

    Later(Version looked) {
      super(0);
      this.looked = looked;
    }

    Version version() {
      return Objects.requireNonNull(version);
    }

    @Override
    public long known() {
      return looked.number();
    }

    @Override
    public @Nullable Mark mark() {
      return null;
    }

    @Override
    public void version(Version given) {
      version = given;
    }
  }

  /** A future that waits for a value that was not seen. */
  static final class AsyncChange<T> extends AsyncRequest<T> implements Watching {
    private final Object primitive;
    private final Mark mark;
    private @Nullable Version version;

    AsyncChange(WatchQueue queue, Object primitive, Mark mark) {
      super(queue, 0);
      this.primitive = primitive;
      this.mark = mark;
    }

    @Override
    protected Object primitive() {
      return primitive;
    }

    @Override
    public long known() {
      return mark.seen();
    }

    @Override
    public Mark mark() {
      return mark;
    }

    @Override
    public void version(Version given) {
      version = given;
    }

    @Override
    protected T value() {
      return Channel.cast(Objects.requireNonNull(version).value());
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
      return Watcher.closed();
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("No new value came in time.");
    }
  }
}
