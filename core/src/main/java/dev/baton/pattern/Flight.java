// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Awaited;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Completion;
import dev.baton.pattern.SingleFlight.Shared;
import dev.baton.scope.ContextCarrier;
import dev.baton.scope.ContextCarrier.Binding;
import dev.baton.sync.Result;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run that several callers wait for.
 *
 * <pre>
 *   callers ≥ 1 ──the last leaves──▶ 0: nobody can join any more, and the run is interrupted
 * </pre>
 */
final class Flight<V> extends Completion implements Runnable, Awaited {
  /** The flight whose work the calling thread does. */
  private static final ScopedValue<Flight<?>> CURRENT = ScopedValue.newInstance();

  private static final VarHandle CALLERS = Fields.find(MethodHandles.lookup(), "callers", int.class);

  private final Consumer<Flight<V>> landed;
  private final Binding context = ContextCarrier.captureAll();
  private @Nullable Callable<? extends V> work;
  private volatile int callers = 1;

  /** Whether its thread has to run callbacks when the work has ended; written before they can be due. */
  private volatile boolean hasCallbacks;

  /** The flight that this one's thread waits for. */
  private volatile @Nullable Flight<?> waitsFor;

  // Guarded by this.
  private @Nullable Host host;
  private @Nullable Object task;
  private boolean cancelled;
  private boolean ended;

  Flight(Callable<? extends V> work, Consumer<Flight<V>> landed) {
    this.work = work;
    this.landed = landed;
    Ledger.made(this);
  }

  // ---- its callers ----

  /** One caller more. False: all have left, or it has ended, and its key has changed so that it was not found then. */
  boolean join() {
    while (true) {
      int now = callers;
      if (now == 0 || resultOrNull() != null) {
        return false;
      }
      if (CALLERS.compareAndSet(this, now, now + 1)) {
        return true;
      }
    }
  }

  /** One caller less; the last ends the run. */
  private void leave() {
    if (isLastToLeave()) {
      giveUp();
    }
  }

  /** Leaves before the end; the last to do so ends the run, and waits for that. */
  void leaveAndJoin() {
    if (isLastToLeave()) {
      try {
        giveUp();
      } finally {
        awaitGone();
      }
    }
  }

  private boolean isLastToLeave() {
    return (int) CALLERS.getAndAdd(this, -1) == 1;
  }

  private void giveUp() {
    // The key is foreign code: whatever it throws, nobody waits for the work any more.
    try {
      landed.accept(this);
    } finally {
      interrupt();
    }
  }

  private synchronized void interrupt() {
    cancelled = true;
    if (host != null && task != null && !ended) {
      host.interrupt(task);
    }
  }

  /** Waits, ignoring interrupts, until nothing of it runs any more. */
  void awaitGone() {
    Host its;
    Object started;
    synchronized (this) {
      its = host;
      started = task;
    }
    if (its != null && started != null) {
      its.awaitEnd(started);
    }
  }

  /** Once it has its result: waits until nothing of it runs any more, except callbacks, which may wait for the caller. */
  void awaitEndOfWork() {
    if (!hasCallbacks) {
      awaitGone();
    }
  }

  /** What it ended with. */
  V value() {
    return switch (result()) {
      case Result.Ok<V>(V value) -> value;
      case Result.Err<V>(Throwable error) -> throw new FlightFailedException(error);
    };
  }

  @SuppressWarnings("unchecked") // nothing else is put in
  private Result<V> result() {
    return (Result<V>) Objects.requireNonNull(resultOrNull());
  }

  /** Waits as a future, for one who has joined. */
  CompletableFuture<Shared<V>> request(boolean shared, long nanos) {
    Waiting request = new Waiting(shared);
    hasCallbacks = true;
    CompletableFuture<Shared<V>> future;
    try {
      future = request.submitted(register(request), nanos);
    } catch (Throwable failure) {
      leave();
      throw failure;
    }
    // However it ends. After the end of the flight that means nothing.
    future.whenComplete((value, failure) -> leave());
    return future;
  }

  // ---- its thread ----

  void start() {
    try {
      Host here = Hosts.current();
      started(here, here.start("", this));
    } catch (Throwable noThread) {
      try {
        landed.accept(this);
      } finally {
        complete(new Result.Err<V>(noThread));
      }
      throw noThread;
    }
  }

  @Override
  public void run() {
    Result<V> result = begin() ? ScopedValue.where(CURRENT, this).call(this::runWork) : cancelledBeforeItBegan();
    end();
    // The key is foreign code: whatever it throws, those who wait get the result.
    try {
      landed.accept(this);
    } finally {
      complete(result);
    }
  }

  private Result<V> cancelledBeforeItBegan() {
    return new Result.Err<>(new CancellationException("Nobody waited for the work any more."));
  }

  private synchronized void started(Host here, Object newTask) {
    host = here;
    task = newTask;
  }

  /** False: cancelled before. */
  private synchronized boolean begin() {
    return !cancelled;
  }

  /** From here on no interrupt comes. */
  private synchronized void end() {
    ended = true;
  }

  private Result<V> runWork() {
    Callable<? extends V> mine = Objects.requireNonNull(work);
    work = null;
    @SuppressWarnings({"unchecked", "rawtypes"})
    Result<V>[] result = new Result[1];
    try {
      // Once, whatever a carrier does.
      context.run(() -> result[0] = result[0] == null ? result(mine) : result[0]);
    } catch (Throwable ofCarrier) {
      return new Result.Err<>(ofCarrier);
    }
    return result[0] != null
        ? result[0]
        : new Result.Err<>(new IllegalStateException("A context carrier did not run the work it was given."));
  }

  private static <V> Result<V> result(Callable<? extends V> work) {
    try {
      return new Result.Ok<>(Objects.requireNonNull(work.call(), "the work returned null, which is no value"));
    } catch (Throwable failure) {
      return new Result.Err<>(failure);
    }
  }

  @Override
  public synchronized List<Object> awaitedTasks() {
    return task == null || ended ? List.of() : List.of(task);
  }

  @Override
  public String toString() {
    return "Flight@" + Integer.toHexString(System.identityHashCode(this)) + "[" + callers + " callers]";
  }

  // ---- who waits for whom ----

  /** Refuses to let the work of {@code target} join its own callers. */
  static void requireOther(Flight<?> target, Object key) {
    if (target == current()) {
      throw circle(key);
    }
  }

  private static @Nullable Flight<?> current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  private static IllegalStateException circle(Object key) {
    return new IllegalStateException(
        "The work for " + key + " would wait for itself: what it calls must not call for its own key again.");
  }

  private static boolean leadsTo(Flight<?> mine, Flight<?> target) {
    for (Flight<?> at = target; at != null; at = at.waitsFor) {
      if (at == mine) {
        return true;
      }
    }
    return false;
  }

  /** The calling thread is going to wait for {@code target}; returns the flight whose work it does, or null. */
  static @Nullable Flight<?> enterWait(Flight<?> target, Object key) {
    Flight<?> mine = current();
    if (mine != null) {
      // First said, then looked: of several that close a circle together, one sees it.
      mine.waitsFor = target;
      if (leadsTo(mine, target)) {
        mine.waitsFor = null;
        // Not joined if it was the last: that runs in a circle too.
        target.leave();
        throw circle(key);
      }
    }
    return mine;
  }

  static void exitWait(@Nullable Flight<?> mine) {
    if (mine != null) {
      mine.waitsFor = null;
    }
  }

  /** A caller that waits as a future. */
  private final class Waiting extends AsyncRequest<Shared<V>> {
    private final boolean shared;

    Waiting(boolean shared) {
      super(Flight.this, 0);
      this.shared = shared;
    }

    @Override
    protected Object primitive() {
      return Flight.this;
    }

    @Override
    protected @Nullable Throwable error() {
      return result() instanceof Result.Err<V>(Throwable error) ? new FlightFailedException(error) : null;
    }

    @Override
    protected Shared<V> value() {
      return new Shared<>(((Result.Ok<V>) result()).value(), shared);
    }

    @Override
    protected void giveBack() {
      // Nothing was taken.
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A flight ends with its result, yet a wait ended with outcome " + outcome + ".");
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("The work has not ended in time.");
    }
  }
}
