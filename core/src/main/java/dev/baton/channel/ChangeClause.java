// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.channel.WatchQueue.Mark;
import dev.baton.channel.WatchQueue.Version;
import dev.baton.channel.WatchQueue.Watching;
import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that a watcher has not seen. */
final class ChangeClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private final Watcher<T> watcher;
  private final Function<? super T, ? extends R> action;

  ChangeClause(Watcher<T> watcher, Function<? super T, ? extends R> action) {
    this.watcher = Objects.requireNonNull(watcher, "watcher");
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    // Before the value: nothing is set after it.
    boolean closed = watcher.queue().isClosed();
    Version unseen = watcher.queue().pollUnseen(watcher.mark());
    return unseen != null ? unseen : closed ? OVER : null;
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(watcher, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Change(selection, index, watcher.mark());
  }

  @Override
  void submit(SelectRequest request) {
    watcher.queue().submitSelected((Change) request);
  }

  @Override
  void withdraw(SelectRequest request) {
    watcher.queue().cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    return Objects.requireNonNull(((Change) request).version);
  }

  @Override
  void giveBack(SelectRequest request) {
    // It is seen; the value itself is still there.
  }

  @Override
  R apply(Object taken) {
    return action.apply(Channel.<T>cast(((Version) taken).value()));
  }

  private static final class Change extends SelectRequest implements Watching {
    private final Mark mark;
    private @Nullable Version version;

    Change(Selection selection, int index, Mark mark) {
      super(selection, index, 0);
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
    protected boolean isClaimedByClosing() {
      return false;
    }
  }
}
