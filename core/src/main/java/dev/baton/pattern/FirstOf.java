// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.internal.kernel.Completion;
import dev.baton.sync.Result;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The first value of several tasks; the last error if all fail, of which to be cancelled is one. */
final class FirstOf<T extends @Nullable Object> {
  /** Ends when one has succeeded, or all have failed. */
  final Completion decided = new Completion();

  private final AtomicInteger open;

  FirstOf(int tasks) {
    open = new AtomicInteger(tasks);
  }

  /** {@code task}, to be handed to {@code executor}. It counts when it has ended, be it without ever having begun. */
  Submitted<T> entrant(BoundedExecutor executor, Callable<T> task) {
    Objects.requireNonNull(task, "a task is null");
    return new Submitted<>(executor, task, this::ended);
  }

  private void ended(Result<T> result) {
    // Counted down by failures only: after a value nobody asks.
    if (result instanceof Result.Ok<T> || open.decrementAndGet() == 0) {
      decided.complete(result);
    }
  }

  boolean isDecided() {
    return decided.resultOrNull() != null;
  }

  @SuppressWarnings("unchecked") // only results of this type are put in
  T await(Object blocker, long nanos) throws InterruptedException, ExecutionException, TimeoutException {
    int outcome = decided.await(blocker, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome != GRANTED) {
      throw new TimeoutException("No task has succeeded in time.");
    }
    return switch ((Result<T>) Objects.requireNonNull(decided.resultOrNull())) {
      case Result.Ok<T>(T value) -> value;
      case Result.Err<T>(Throwable error) -> throw new ExecutionException(error);
    };
  }
}
