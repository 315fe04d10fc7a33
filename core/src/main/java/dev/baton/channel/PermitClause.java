// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.select.Selectables;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Permits of a semaphore. */
final class PermitClause<R extends @Nullable Object> extends WaitingClause<R> {
  private final Semaphore semaphore;
  private final PermitQueue queue;
  private final long permits;
  private final Function<? super Permit, ? extends R> action;

  PermitClause(Semaphore semaphore, long permits, Function<? super Permit, ? extends R> action) {
    this.semaphore = Objects.requireNonNull(semaphore, "semaphore");
    this.queue = Selectables.semaphores().queue(semaphore);
    this.permits = permits;
    this.action = Objects.requireNonNull(action, "action");
    Selectables.semaphores().require(semaphore, permits);
  }

  @Override
  @Nullable Object poll() {
    if (!queue.tryTake(permits)) {
      return null;
    }
    try {
      return Selectables.semaphores().taken(semaphore, permits);
    } catch (Throwable failure) {
      queue.giveBack(permits);
      throw failure;
    }
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(semaphore, permits);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new SelectRequest(selection, index, permits);
  }

  @Override
  void submit(SelectRequest request) {
    Requests.submit(queue, request);
  }

  @Override
  void withdraw(SelectRequest request) {
    queue.cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    if (request.outcome() != GRANTED) {
      throw Selectables.semaphores().failure(semaphore, request.outcome(), permits);
    }
    return Selectables.semaphores().taken(semaphore, permits);
  }

  @Override
  void giveBack(SelectRequest request) {
    queue.leave(request);
  }

  @Override
  R apply(Object taken) {
    return action.apply((Permit) taken);
  }

  /** Requests for permits. */
  static final class Requests {
    private Requests() {}

    /** Puts {@code request} in line, or serves it at once. */
    static void submit(PermitQueue queue, SelectRequest request) {
      int outcome = queue.enqueue(request, false);
      if (outcome == GRANTED || (outcome != WAITING && request.selection().claim())) {
        request.decide(outcome);
        request.wake();
      }
    }
  }
}
