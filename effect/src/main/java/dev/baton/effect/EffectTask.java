// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Awaited;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.runtime.internal.Residence;
import dev.baton.runtime.internal.Resident;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One task of a run, and what its program can see. All of it belongs to whoever has the turn.
 *
 * <p>It is told to end by an interrupt of the thread it runs on: what waits is woken by that, and what does not wait sees it at the
 * next effect. Either way it is then delivered, as an exception, and never again.
 */
final class EffectTask<T extends @Nullable Object> extends Ending<T> implements Task<T>, Awaited, Resident, Runnable {
  private final String name;
  private @Nullable Program<? extends T> program;

  /** Its number in the run; the first task is 0. */
  int number;

  /** Which child of which child of the first task it is, as a number: the same whatever the schedule. */
  long lineage;

  private int children;

  /** The handlers in scope. */
  Frame frame;

  /** The handlers it has inherited. */
  private Frame inherited;

  PersistentMap environment;
  PersistentMap state;
  Log log;

  /** The thread that its program, or a handler, is on at present. */
  CooperativeTask active;

  private final CooperativeHost host;
  private @Nullable Activation activations;

  /** Whether it is to end. */
  private boolean cancelled;

  /** Whether that has still to be delivered. */
  private boolean cancelPending;

  /** How that was delivered. */
  private @Nullable TaskCancelledException delivered;

  private TaskState end = TaskState.PENDING;

  /** Whether its program has ended, and was not thrown out. */
  private boolean finished;

  /** Its neighbours among those that have not ended. */
  @Nullable EffectTask<?> previous;

  @Nullable EffectTask<?> next;

  private EffectTask(
      EffectRun run, String name, Program<? extends T> program, Frame frame, PersistentMap environment, PersistentMap state, Log log) {
    super(run);
    this.host = run.host();
    this.name = name;
    this.program = program;
    this.frame = frame;
    this.inherited = frame;
    this.environment = environment;
    this.state = state;
    this.log = log;
    // For one that is spawned, its own follows at once.
    this.active = run.residence().here();
    run.add(this);
  }

  /** The first task of a run, which runs where it is made. */
  static <T extends @Nullable Object> EffectTask<T> root(
      EffectRun run, Program<? extends T> program, Frame frame, PersistentMap environment, PersistentMap state) {
    return new EffectTask<>(run, "main", program, frame, environment, state, Log.EMPTY);
  }

  /** Spawns a task. */
  <U extends @Nullable Object> EffectTask<U> spawn(Program<? extends U> body, String childName, @Nullable Priority priority) {
    EffectTask<U> child = new EffectTask<>(run, childName, body, frame, environment, state, log);
    child.lineage = Lineage.of(lineage, children++);
    child.active = run.residence().start(childName, child, priority, child);
    if (run.isClosing()) {
      child.requestCancel();
    }
    return child;
  }

  /** The task that calls, or null if none does. */
  static @Nullable EffectTask<?> currentOrNull() {
    Host current = Hosts.current();
    return current instanceof CooperativeHost host && host.residence().resident() instanceof EffectTask<?> task ? task : null;
  }

  /** The task that calls. */
  static EffectTask<?> current() {
    EffectTask<?> task = currentOrNull();
    if (task == null) {
      throw new IllegalStateException(
          "Effects are performed by tasks of a run: run this program by Effects.run, and start others by Effects.spawn.");
    }
    return task;
  }

  // ---- effects ----

  /** Gives up the turn, then answers {@code effect}. */
  @Nullable Object perform(Effect<?> effect) {
    Class<?> type = effect.getClass();
    host.switchPoint(type);
    // A release is done first: it may be the one in a finally block, and a permit must not be lost by being cancelled there.
    if (cancelPending && type != ReleaseSemaphore.class) {
      deliver();
    }
    try {
      Frame here = frame;
      if (here.isObserved()) {
        return performObserved(here, effect);
      }
      Binding binding = here.find(type);
      if (binding == null) {
        throw new UnhandledEffectException(effect, here.describe());
      }
      return binding.answer(this, effect);
    } catch (Throwable failure) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  private @Nullable Object performObserved(Frame here, Effect<?> effect) throws Throwable {
    here.observe(this, effect);
    Object answer;
    try {
      answer = dispatch(effect);
    } catch (Throwable failure) {
      if (!Residence.isEnd(failure)) {
        here.observed(this, effect, new Result.Err<>(failure));
      }
      throw failure;
    }
    here.observed(this, effect, new Result.Ok<>(answer));
    return answer;
  }

  /** Answers {@code effect} without giving up the turn, and without telling anybody: that was done before. */
  @Nullable Object dispatch(Effect<?> effect) throws Throwable {
    Binding binding = frame.find(effect.getClass());
    if (binding == null) {
      throw new UnhandledEffectException(effect, frame.describe());
    }
    return binding.answer(this, effect);
  }

  void yieldTurn() {
    if (run.residence().isAborting()) {
      host.switchPoint(Effects.class);
    } else {
      run.residence().yieldTurn();
    }
    deliverPending();
  }

  /** Throws a cancellation that has not been delivered. */
  void deliverPending() {
    if (cancelPending) {
      deliver();
    }
  }

  void letHigherGoFirst() {
    run.residence().letHigherGoFirst(active);
  }

  /** Runs {@code body} with more handlers in scope. */
  <U extends @Nullable Object> U handle(Handlers handlers, Program<? extends U> body) throws Throwable {
    Frame outer = frame;
    Frame inner = handlers.in(outer);
    frame = inner;
    if (!handlers.resumes()) {
      try {
        return body.run();
      } finally {
        frame = outer;
      }
    }
    Result<U> result = leave(attempt(body), inner, outer);
    frame = outer;
    return valueOf(result);
  }

  /** The program has ended with {@code result}: the resumable handlers from {@code inner} to {@code outer} are told, innermost first. */
  @SuppressWarnings("unchecked") // a handler answers for the type of what it handles
  private <U extends @Nullable Object> Result<U> leave(Result<U> result, Frame inner, Frame outer) {
    Result<@Nullable Object> now = (Result<@Nullable Object>) (Result<?>) result;
    for (Frame left = inner; left != outer; left = left.outer()) {
      if (left.resumes()) {
        Activation activation = forget(left);
        if (activation != null) {
          frame = left.outer();
          now = activation.end(now);
        }
      }
    }
    return (Result<U>) (Result<?>) now;
  }

  /** Runs {@code body}. What ends the run, and not only the body, is thrown. */
  <U extends @Nullable Object> Result<U> attempt(Program<? extends U> body) {
    try {
      return new Result.Ok<>(body.run());
    } catch (Throwable failure) {
      if (Residence.isEnd(failure)) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
      if (isFatal(failure)) {
        run.stop(failure);
        throw Failures.<RuntimeException>rethrow(failure);
      }
      return new Result.Err<>(failure);
    }
  }

  static boolean isFatal(Throwable failure) {
    return failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
  }

  private static <U extends @Nullable Object> U valueOf(Result<U> result) {
    return switch (result) {
      case Result.Ok<U>(U value) -> value;
      case Result.Err<U>(Throwable error) -> throw Failures.<RuntimeException>rethrow(error);
    };
  }

  // ---- resumable handlers ----

  /** Those of {@code scope} that are at work in this task. */
  Activation activation(Frame scope) {
    for (Activation each = activations; each != null; each = each.next) {
      if (each.frame == scope) {
        return each;
      }
    }
    Activation added = new Activation(scope, activations);
    activations = added;
    return added;
  }

  private @Nullable Activation forget(Frame scope) {
    Activation before = null;
    for (Activation each = activations; each != null; each = each.next) {
      if (each.frame == scope) {
        if (before == null) {
          activations = each.next;
        } else {
          before.next = each.next;
        }
        return each;
      }
      before = each;
    }
    return null;
  }

  // ---- its life ----

  /** All of it, on its own thread. */
  @Override
  public void run() {
    try {
      Program<? extends T> body = Objects.requireNonNull(program);
      program = null;
      finish(leave(attempt(body), inherited, Frame.NONE));
    } catch (Throwable failure) {
      // The run is being ended.
      lost();
      if (!isFatal(failure)) {
        throw failure;
      }
    }
  }

  /** Decides how the task has ended, and tells those who wait for it. */
  private void finish(Result<T> result) {
    boolean byCancellation =
        cancelled
            && (!(result instanceof Result.Err<T> failed)
                || failed.error() instanceof InterruptedException
                || failed.error() instanceof CancellationException);
    finished = true;
    Result<T> decided = byCancellation ? new Result.Err<>(cancellation()) : result;
    settle(decided, byCancellation ? TaskState.CANCELLED : result.isOk() ? TaskState.COMPLETED : TaskState.FAILED);
  }

  private TaskCancelledException cancellation() {
    return delivered != null ? delivered : new TaskCancelledException(name() + " was cancelled.");
  }

  private void settle(Result<T> result, TaskState how) {
    end = how;
    // Whoever keeps the task need not keep these.
    program = null;
    frame = Frame.NONE;
    inherited = Frame.NONE;
    environment = PersistentMap.EMPTY;
    activations = null;
    if (number != 0) {
      // What the first task leaves is part of the result.
      state = PersistentMap.EMPTY;
      log = Log.EMPTY;
    }
    cancelPending = false;
    run.remove(this);
    if (how == TaskState.FAILED && number != 0) {
      run.failed(this, ((Result.Err<T>) result).error());
    }
    end(result);
  }

  /** Whether its program has ended by itself. */
  boolean isFinished() {
    return finished;
  }

  /** Its run is over before it has ended. */
  void lost() {
    if (resultOrNull() == null) {
      settle(new Result.Err<>(new TaskCancelledException(name() + " was thrown out: its run has ended.")), TaskState.CANCELLED);
    }
  }

  // ---- waiting ----

  /** Waits for {@code outcome}, and returns its value or throws its error. */
  @Nullable Object join(Outcome<?> outcome) {
    while (outcome.resultOrNull() == null) {
      prepareToWait();
      if (outcome.await(outcome, true, FOREVER) != GRANTED) {
        wasInterrupted();
      }
    }
    return valueOf(resultOf(outcome));
  }

  /** The result of what has ended; whoever asks has seen it. */
  static <U extends @Nullable Object> Result<U> resultOf(Outcome<U> outcome) {
    if (outcome instanceof EffectTask<?> task) {
      task.seen();
    }
    @SuppressWarnings("unchecked") // only such results are put in
    Result<U> result = (Result<U>) Objects.requireNonNull(outcome.resultOrNull());
    return result;
  }

  /** Before a wait that an interrupt ends: one that nobody of ours has caused means nothing here. */
  void prepareToWait() {
    if (!cancelPending) {
      Thread.interrupted();
    }
  }

  /** A wait was ended by an interrupt. Returns if that means nothing. */
  void wasInterrupted() {
    if (cancelPending) {
      Thread.currentThread().interrupt();
      deliver();
    } else if (!cancelled) {
      // Somebody has interrupted the thread itself.
      cancelled = true;
      throw delivered();
    }
  }

  private void deliver() {
    cancelPending = false;
    // If it is gone, an operation of Baton's that waited has thrown it before.
    if (Thread.interrupted()) {
      throw delivered();
    }
  }

  private TaskCancelledException delivered() {
    TaskCancelledException thrown = new TaskCancelledException(name() + " was cancelled.");
    delivered = thrown;
    return thrown;
  }

  /** Whether {@code failure} is this task's own cancellation, and not that of another one it has waited for. */
  boolean isOwnCancellation(Throwable failure) {
    return cancelled && (failure == delivered || failure instanceof InterruptedException);
  }

  // ---- cancelling ----

  /** Asks it to end. False: it has ended, or was asked before. */
  boolean requestCancel() {
    if (cancelled || end.isDone()) {
      return false;
    }
    if (active.isNew()) {
      cancelled = true;
      run.residence().discard(active);
      settle(new Result.Err<>(cancellation()), TaskState.CANCELLED);
    } else {
      host.interrupt(active);
    }
    return true;
  }

  @Override
  public void interrupted() {
    if (!cancelled) {
      cancelled = true;
      cancelPending = true;
    }
  }

  // ---- for others ----

  @Override
  public boolean cancel() {
    if (run.residence().hasTurn()) {
      return requestCancel();
    }
    boolean open = !end.isDone() && !cancelled && !run.isOver();
    host.inTurn(this::requestCancel);
    return open;
  }

  @Override
  public T result() {
    Result<T> result =
        outcome().orElseThrow(() -> new IllegalStateException(this + " has not ended: wait for it by Effects.join."));
    if (result instanceof Result.Err<T> failed) {
      throw new IllegalStateException(this + " has no result: look at its outcome first.", failed.error());
    }
    return ((Result.Ok<T>) result).value();
  }

  @Override
  public TaskState state() {
    if (end.isDone()) {
      return end;
    }
    if (active.isRunning()) {
      return TaskState.RUNNING;
    }
    return active.isNew() ? TaskState.PENDING : active.isReady() ? TaskState.SUSPENDED : TaskState.BLOCKED;
  }

  @Override
  protected void seen() {
    if (end == TaskState.FAILED) {
      run.seen(this);
    }
  }

  @Override
  public boolean endsFromOutside() {
    return false;
  }

  @Override
  public List<Object> awaitedTasks() {
    return end.isDone() ? List.of() : List.of(active);
  }

  String name() {
    return name.isEmpty() ? "task " + number : name;
  }

  @Override
  public String toString() {
    return "Task[" + name() + ", " + state() + "]";
  }
}
