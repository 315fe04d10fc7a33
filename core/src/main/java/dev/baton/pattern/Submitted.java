// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Result;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Work that was handed to an executor, and the future of its result. It waits as the host of the one who waits does. */
final class Submitted<T extends @Nullable Object> extends Outcome<T> implements RunnableFuture<T> {
  private final BoundedExecutor executor;
  private @Nullable Callable<? extends T> work;
  private final @Nullable Consumer<? super Result<T>> listener;

  /** As what it was handed in. */
  final Job job = new Job(this);

  Submitted(BoundedExecutor executor, Callable<? extends T> work) {
    this(executor, work, null);
  }

  /** {@code listener} is told how it ends, once. */
  Submitted(BoundedExecutor executor, Callable<? extends T> work, @Nullable Consumer<? super Result<T>> listener) {
    this.executor = executor;
    this.listener = listener;
    this.work = Objects.requireNonNull(work, "task");
    Ledger.made(this);
  }

  /** How a cancelled one ends. */
  private static final class Cancelled extends CancellationException {
    private static final long serialVersionUID = 1;

    Cancelled() {
      super("The task was cancelled.");
    }
  }

  @Override
  public void run() {
    Callable<? extends T> mine = work;
    work = null;
    if (mine == null || resultOrNull() != null) {
      return;
    }
    Result<T> result;
    try {
      result = new Result.Ok<>(mine.call());
    } catch (Throwable failure) {
      result = new Result.Err<>(failure);
    }
    end(result);
  }

  /** False: it had ended before. */
  private boolean end(Result<T> result) {
    boolean first = settle(result);
    // Whoever keeps the future need not keep the work, whether it was run or not.
    work = null;
    if (first && listener != null) {
      listener.accept(result);
    }
    return first;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    SwitchPoints.reach(this);
    if (!end(new Result.Err<>(new Cancelled()))) {
      return false;
    }
    executor.cancelled(job, mayInterruptIfRunning);
    return true;
  }

  /** It was accepted, and cannot run. */
  void fail(Throwable reason) {
    end(new Result.Err<>(reason));
  }

  @Override
  public boolean isCancelled() {
    SwitchPoints.reach(this);
    return resultOrNull() instanceof Result.Err<?> failed && failed.error() instanceof Cancelled;
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    SwitchPoints.reach(this);
    checkBeforeWaiting();
    if (await(this, true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    return value();
  }

  @Override
  public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
    long nanos = Math.max(unit.toNanos(timeout), 0);
    SwitchPoints.reach(this);
    checkBeforeWaiting();
    int outcome = await(this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT) {
      throw new TimeoutException("Waited " + timeout + " " + unit + " for " + this + "; it has not ended.");
    }
    return value();
  }

  /** A future of the JDK's gives its result also to somebody who is interrupted. */
  private void checkBeforeWaiting() throws InterruptedException {
    if (resultOrNull() == null) {
      Interrupts.check();
    }
  }

  private T value() throws ExecutionException {
    return switch (Objects.requireNonNull(resultIfEnded())) {
      case Result.Ok<T>(T value) -> value;
      case Result.Err<T>(Throwable error) when error instanceof Cancelled ->
          throw new CancellationException("The task was cancelled.");
      case Result.Err<T>(Throwable error) -> throw new ExecutionException(error);
    };
  }

  @Override
  public String toString() {
    return "Submitted@" + Integer.toHexString(System.identityHashCode(this)) + "[" + describe() + "]";
  }
}
