// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Awaited;
import dev.baton.host.Host;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.scope.ContextCarrier.Binding;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One task of a scope.
 *
 * <pre>
 *   NEW ──▶ RUNNING ──▶ ENDED
 *    │         └──▶ STOPPING ──▶ CANCELLED     told to stop, under the nursery's lock; its thread is interrupted there too
 *    └──▶ STOPPING ──▶ CANCELLED               never runs
 * </pre>
 */
final class Fork<T extends @Nullable Object> extends Outcome<T> implements Task<T>, Runnable, Awaited {
  private static final int NEW = 0;
  private static final int RUNNING = 1;
  private static final int STOPPING = 2;
  private static final int ENDED = 3;

  /** It ended by being cancelled; written before the result. One that was told to stop and failed stays STOPPING. */
  private static final int CANCELLED = 4;

  /** Made beforehand, for when there is no room to say more. */
  private static final Result<?> UNKNOWN =
      new Result.Err<>(new OutOfMemoryError("When the task ended, there was no memory left to say how."));

  private static final ScopedValue<Fork<?>> CURRENT = ScopedValue.newInstance();
  private static final VarHandle STATE = Fields.find(MethodHandles.lookup(), "state", int.class);

  private static final VarHandle TASK = Fields.find(MethodHandles.lookup(), "task", Object.class);

  private final Scope scope;
  private final @Nullable StackTraceElement site;
  private @Nullable Binding binding;
  private @Nullable Callable<? extends T> body;

  /** Where its permit is from, if it needs one. Written by the one who forks, before the fork is started. */
  private @Nullable Semaphore limit;

  private volatile int state;

  /** Set by the task itself before it is RUNNING. */
  private volatile @Nullable Object task;

  /** Why it was told to stop; written before STOPPING. */
  private @Nullable Throwable cause;

  /** What the body did, as it is {@linkplain #kept kept}, when it was run by a binding. */
  private @Nullable Object bound;

  /** The innermost scope that this task has opened and not closed. Only the task itself uses it. */
  @Nullable Scope innermost;

  Fork(Scope scope, Callable<? extends T> body, @Nullable Binding binding, @Nullable StackTraceElement site) {
    this.scope = scope;
    this.body = body;
    this.binding = binding;
    this.site = site;
    Ledger.made(this);
  }

  /** The fork that the calling task is, or null. */
  static @Nullable Fork<?> current(Object callingTask) {
    Fork<?> fork = CURRENT.isBound() ? CURRENT.get() : null;
    // A foreign scope may hand bindings on to threads of its own.
    return fork != null && fork.task == callingTask ? fork : null;
  }

  Scope scope() {
    return scope;
  }

  /** Whether it has its result; it may still be on its way out. */
  boolean hasSettled() {
    return resultOrNull() != null;
  }

  /** Whether nothing of it runs any more. */
  boolean isGone(Host host) {
    Object started = task;
    return started == null ? hasSettled() : host.hasEnded(started);
  }

  @Override
  public List<Object> awaitedTasks() {
    Object started = task;
    return started == null || hasSettled() ? List.of() : List.of(started);
  }

  /** Waits until nothing of it runs any more. It has its result, so that is soon. */
  void awaitGone(Host host) {
    Object started = task;
    if (started != null) {
      host.awaitEnd(started);
    }
  }

  /** It was never started: whoever waits for it is told why. */
  void discard(Throwable reason) {
    complete(failed(reason));
  }

  String name() {
    return site == null ? "" : "fork at " + site.getFileName() + ":" + site.getLineNumber();
  }

  /** Whether it ended with an error of its own; known once its body has ended. */
  boolean hasFailed() {
    return state != CANCELLED;
  }

  boolean isStopping() {
    return state == STOPPING;
  }

  // ---- its permit ----

  void limitedBy(@Nullable Semaphore permits) {
    limit = permits;
  }

  boolean isLimitedBy(@Nullable Semaphore permits) {
    return limit == permits;
  }

  void acquirePermit() throws InterruptedException {
    if (limit != null) {
      limit.acquire();
    }
  }

  boolean tryAcquirePermit() {
    return limit == null || limit.tryAcquire();
  }

  void releasePermit() {
    if (limit != null) {
      limit.release();
    }
  }

  /** The permit that the calling task has taken is the fork's from now on. */
  void handOverPermit() {
    if (limit != null) {
      Ledger.gave(limit, 1);
    }
  }

  private void takeOverPermit() {
    if (limit != null) {
      Ledger.took(limit, 1);
    }
  }

  // ---- its life ----

  /** All of it, on a thread of its own. */
  @Override
  public void run() {
    // Release: the exchange that follows is fence enough.
    TASK.setRelease(this, scope.host().currentTask());
    takeOverPermit();
    Object done = null;
    Throwable cutShort = null;
    if (STATE.compareAndSet(this, NEW, RUNNING)) {
      try {
        done = ScopedValue.where(CURRENT, this).call(this::runBody);
      } catch (Throwable noRoom) {
        // What the body throws does not come here: it is our own that failed, mostly for want of memory. Those who wait must not wait for ever.
        cutShort = noRoom;
      }
    }
    end(done, cutShort);
  }

  // What the body did goes through all of this as it is kept.

  private Object runBody() {
    Object result = bindAndCall();
    Throwable left = Scope.closeAllOf(this);
    return left == null
        ? result
        : withFailure(result, new ScopeFailedException(this + " left a scope open in which a task had failed.", left));
  }

  private Object bindAndCall() {
    Binding context = binding;
    if (context == null) {
      return callBody();
    }
    try {
      context.run(() -> bound = bound == null ? callBody() : bound);
    } catch (Throwable failure) {
      return withFailure(bound, failure);
    }
    Object result = bound;
    return result != null
        ? result
        : new Result.Err<>(new IllegalStateException("A context carrier did not run the task it was given."));
  }

  private Object callBody() {
    Callable<? extends T> work = Objects.requireNonNull(body);
    body = null;
    try {
      return kept(work.call());
    } catch (Throwable failure) {
      return new Result.Err<>(failure);
    }
  }

  /** The body did {@code result}, if it ran, and then something else went wrong. An interrupt says less than that. */
  private static Object withFailure(@Nullable Object result, Throwable failure) {
    return result instanceof Result.Err<?> failed && !(failed.error() instanceof InterruptedException)
        ? new Result.Err<>(Failures.join(failed.error(), failure))
        : new Result.Err<>(failure);
  }

  /**
   * Decides how the task ended, tells its scope, and then those who wait for it. It did {@code done}, or was {@code cutShort}, or neither:
   * then it never ran.
   */
  private void end(@Nullable Object done, @Nullable Throwable cutShort) {
    // Whoever keeps the task need not keep these.
    body = null;
    binding = null;
    bound = null;
    boolean stopped = (done == null && cutShort == null) || !STATE.compareAndSet(this, RUNNING, ENDED);
    if (stopped) {
      scope.awaitInterrupt();
      // Ours, and of no use any more.
      Thread.interrupted();
    }
    Object result = done;
    if (cutShort != null) {
      result = failed(cutShort);
    } else if (result == null || (stopped && isByCancellation(result))) {
      state = CANCELLED;
      result = cancelled();
    }
    // In this order, and whatever goes wrong on the way: a failure stops the scope before anybody else may run in this task's place,
    // and the permit is back before anybody can see that the task has ended.
    try {
      scope.ended(this, cutShort != null ? cutShort : errorOf(result), stopped);
    } finally {
      try {
        releasePermit();
      } finally {
        complete(result);
      }
    }
  }

  private static @Nullable Throwable errorOf(Object result) {
    return result instanceof Result.Err<?> failed ? failed.error() : null;
  }

  private Object cancelled() {
    try {
      return new Result.Err<>(cancellation());
    } catch (OutOfMemoryError noRoom) {
      return UNKNOWN;
    }
  }

  private static Object failed(Throwable error) {
    try {
      return new Result.Err<>(error);
    } catch (OutOfMemoryError noRoom) {
      return UNKNOWN;
    }
  }

  private static boolean isByCancellation(Object result) {
    return !(result instanceof Result.Err<?> failed)
        || failed.error() instanceof InterruptedException
        || failed.error() instanceof CancellationException
        || failed.error() instanceof ClosedByInterruptException
        || failed.error() instanceof FileLockInterruptionException
        // Not its subclass, which says that a socket has timed out.
        || failed.error().getClass() == InterruptedIOException.class;
  }

  private CancellationException cancellation() {
    Throwable reason = cause;
    CancellationException exception =
        new CancellationException(reason == null ? "The task was cancelled." : "The task was cancelled: its scope failed.");
    if (reason != null) {
      exception.initCause(reason);
    }
    return exception;
  }

  /** Tells the task to stop, under the nursery's lock. False: it has ended or was told before. */
  boolean stop(Host host, @Nullable Throwable reason) {
    int now = state;
    if (now == NEW || now == RUNNING) {
      cause = reason;
      if (STATE.compareAndSet(this, NEW, STOPPING)) {
        return true;
      }
      if (STATE.compareAndSet(this, RUNNING, STOPPING)) {
        host.interrupt(Objects.requireNonNull(task));
        return true;
      }
    }
    return false;
  }

  // ---- for others ----

  @Override
  public boolean cancel() {
    SwitchPoints.reach(this);
    return scope.cancel(this);
  }

  @Override
  public T result() {
    return valueOnceEnded("join its scope, or await it");
  }

  @Override
  public TaskState state() {
    Optional<Result<T>> outcome = outcome();
    if (outcome.isEmpty()) {
      return task == null ? TaskState.PENDING : TaskState.RUNNING;
    }
    if (state == CANCELLED) {
      return TaskState.CANCELLED;
    }
    return outcome.get().isOk() ? TaskState.COMPLETED : TaskState.FAILED;
  }

  @Override
  public String toString() {
    return "Task[" + state() + (site == null ? "" : ", forked at " + site) + "]";
  }
}
