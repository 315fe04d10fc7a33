// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.Batch;
import dev.baton.internal.kernel.BatchBuffer;
import dev.baton.internal.kernel.BatchBuffer.Getter;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.select.Selectables;
import dev.baton.pattern.BatchQueue;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Several items of a queue, together. */
final class BatchClause<T, R extends @Nullable Object> extends WaitingClause<R> {
  private final BatchQueue<T> queue;
  private final BatchBuffer buffer;
  private final int count;
  private final Function<? super List<T>, ? extends R> action;

  BatchClause(BatchQueue<T> queue, int count, Function<? super List<T>, ? extends R> action) {
    this.queue = Objects.requireNonNull(queue, "queue");
    this.buffer = Selectables.buffer(queue);
    this.count = count;
    this.action = Objects.requireNonNull(action, "action");
    if (count < 1) {
      throw new IllegalArgumentException("A clause waits for at least 1 item, not " + count + ".");
    }
  }

  @Override
  @Nullable Object poll() {
    if (!buffer.maySettle(count)) {
      // Without making room for what is not there.
      return null;
    }
    Batch batch = buffer.roomFor(count);
    return switch (buffer.take(batch)) {
      case TAKEN -> batch;
      case ENDED -> OVER;
      case NOT_YET -> null;
    };
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(queue, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Selected(selection, index, buffer.roomFor(count));
  }

  @Override
  void submit(SelectRequest request) {
    buffer.submitSelected((Selected) request);
  }

  @Override
  void withdraw(SelectRequest request) {
    buffer.cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    return ((Selected) request).batch();
  }

  @Override
  void giveBack(SelectRequest request) {
    buffer.leave(request);
  }

  @Override
  R apply(Object taken) {
    return action.apply(((Batch) taken).as());
  }

  private static final class Selected extends SelectRequest implements Getter {
    private final Batch batch;

    Selected(Selection selection, int index, Batch batch) {
      super(selection, index, 0);
      this.batch = batch;
    }

    @Override
    public Batch batch() {
      return batch;
    }

    @Override
    protected boolean isClaimedByClosing() {
      return false;
    }
  }
}
