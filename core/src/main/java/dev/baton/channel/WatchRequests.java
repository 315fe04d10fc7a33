// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.channel.WatchQueue.Mark;
import dev.baton.channel.WatchQueue.Version;
import dev.baton.channel.WatchQueue.Watching;
import dev.baton.internal.kernel.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Those who wait for a value. */
final class WatchRequests {
  private WatchRequests() {}

  /** A task that waits to be given a version. */
  abstract static class Wait extends Request implements Watching {
    private @Nullable Version version;

    private Wait() {
      super(0);
    }

    /** What it was given; once granted. */
    final Version version() {
      return Objects.requireNonNull(version);
    }

    @Override
    public final void version(Version given) {
      version = given;
    }
  }

  /** A task that waits for a value that was not seen. */
  static final class Change extends Wait {
    private final Mark mark;

    Change(Mark mark) {
      this.mark = mark;
    }

    @Override
    public long known() {
      return mark.seen();
    }

    @Override
    public Mark mark() {
      return mark;
    }
  }

  /** A task that waits for a value later than the one it has looked at, seen or not. */
  static final class Later extends Wait {
    private final Version looked;

    Later(Version looked) {
      this.looked = looked;
    }

    @Override
    public long known() {
      return looked.number();
    }

    @Override
    public @Nullable Mark mark() {
      return null;
    }
  }

  /** A future that waits for a value that was not seen. */
  static final class AsyncChange<T> extends FutureDelivery<T> implements Watching {
    private final Mark mark;
    private @Nullable Version version;

    AsyncChange(WatchQueue queue, Object primitive, Mark mark) {
      super(queue, primitive, "No new value came in time.", outcome -> Watcher.closed());
      this.mark = mark;
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
  }
}
