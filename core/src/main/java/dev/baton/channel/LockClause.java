// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.host.Alternatives;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.select.Selectables;
import dev.baton.sync.Guard;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mutex, or one side of a read-write lock. */
final class LockClause<R extends @Nullable Object> extends WaitingClause<R> {
  private final Lock lock;
  private final PermitQueue queue;
  private final Function<? super Guard, ? extends R> action;

  LockClause(Lock lock, Function<? super Guard, ? extends R> action) {
    this.lock = Objects.requireNonNull(lock, "lock");
    this.queue = Selectables.locks().queue(lock);
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    if (!Selectables.locks().tryTake(lock)) {
      return null;
    }
    try {
      return Selectables.locks().taken(lock);
    } catch (Throwable failure) {
      queue.giveBack(Selectables.locks().permits(lock));
      throw failure;
    }
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(Selectables.locks().whole(lock), 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    String endless = Selectables.locks().endlessWait(lock, Hosts.currentTaskId());
    if (endless != null) {
      throw new IllegalMonitorStateException("A select cannot wait with this clause, whatever the others bring: " + endless);
    }
    return new SelectRequest(selection, index, Selectables.locks().permits(lock));
  }

  @Override
  void submit(SelectRequest request) {
    PermitClause.Requests.submit(queue, request);
  }

  @Override
  void withdraw(SelectRequest request) {
    queue.cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    return Selectables.locks().taken(lock);
  }

  @Override
  void giveBack(SelectRequest request) {
    queue.leave(request);
  }

  @Override
  R apply(Object taken) {
    return action.apply((Guard) taken);
  }
}
