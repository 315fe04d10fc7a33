// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.Awaited;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.runtime.internal.Residence;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One task of a run, and what its program can see. All of it belongs to whoever has the turn. How it is told to end stands in {@link
 * Cancellable}, which handlers are in scope in {@link Handling}.
 */
final class EffectTask<T extends @Nullable Object> extends Handling<T> implements Task<T>, Awaited, Runnable {
  private final String name;
  private @Nullable Program<? extends T> program;

  /** Its number, by which the host knows it too, so that all reports speak of the same task; the first one of a run is 0. */
  private int number;

  /** Which child of which child of the first task it is, as a number: the same whatever the schedule. */
  long lineage;

  private int children;

  PersistentMap environment;
  PersistentMap state;
  Log log;

  /** The thread that its program, or a handler, is on at present. */
  CooperativeTask active;

  private final CooperativeHost host;


  private TaskState end = TaskState.PENDING;

  /** Whether its program has ended, and was not thrown out. */
  private boolean finished;

  /** Its neighbours among those that have not ended. */
  @Nullable EffectTask<?> previous;

  @Nullable EffectTask<?> next;

  private EffectTask(
      EffectRun run, String name, Program<? extends T> program, Frame frame, PersistentMap environment, PersistentMap state, Log log) {
    super(run, frame);
    this.host = run.host();
    this.name = name;
    this.program = program;
    this.environment = environment;
    this.state = state;
    this.log = log;
    // For one that is spawned, its own follows at once.
    this.active = run.residence().here();
  }

  /** The first task of a run, which runs where it is made. */
  static <T extends @Nullable Object> EffectTask<T> root(
      EffectRun run, Program<? extends T> program, Frame frame, PersistentMap environment, PersistentMap state) {
    EffectTask<T> task = new EffectTask<>(run, "main", program, frame, environment, state, Log.EMPTY);
    run.add(task);
    return task;
  }

  /** Spawns a task. */
  <U extends @Nullable Object> EffectTask<U> spawn(Program<? extends U> body, String childName, @Nullable Priority priority) {
    run.spawning();
    EffectTask<U> child = new EffectTask<>(run, childName, body, frame, environment, state, log);
    child.lineage = Lineage.of(lineage, children);
    child.active = run.residence().start(childName, child, priority, child);
    child.number = child.active.number();
    // Only now: if there was no room for it, on the stack for one, the run would wait for a task that nobody ever runs.
    children++;
    run.add(child);
    return child;
  }

  /** The task that calls, or null if none does. */
  static @Nullable EffectTask<?> currentOrNull() {
    Host current = Hosts.current();
    return current instanceof CooperativeHost host && host.resident() instanceof EffectTask<?> task ? task : null;
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
    if (type != ReleaseSemaphore.class) {
      deliverPending();
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

  /**
   * Begins an effect that nobody will see, since it is {@linkplain Frame#isDirect direct}: it is not made, and not looked up. What
   * follows is what {@link BuiltIns} does. False: it has to be performed.
   */
  boolean beginDirect(Class<?> type) {
    if (!frame.isDirect()) {
      return false;
    }
    host.switchPoint(type);
    deliverPending();
    return true;
  }

  /**
   * Whether nobody would see an effect that is an operation on a primitive of Baton's and no more, and never waits: then the operation
   * stands for it. To begin that is the step, as it would be to begin the effect; whoever looks at steps would see another name.
   */
  boolean isUnseen() {
    return frame.isDirect() && !host.isLookedAt();
  }

  private @Nullable Object performObserved(Frame here, Effect<?> effect) throws Throwable {
    switch (effect) {
      case ReleaseSemaphore _ -> {}
      case AcquireSemaphore(Semaphore semaphore, long permits) -> {
        return performAcquireTold(here, effect, semaphore, permits);
      }
      case TryAcquireSemaphore(Semaphore semaphore, long permits, Duration _) -> {
        return performAcquireTold(here, effect, semaphore, permits);
      }
      default -> {
        return performTold(here, effect);
      }
    }
    Object answer;
    holdBack();
    try {
      answer = performTold(here, effect);
    } finally {
      letGo();
    }
    deliverPending();
    return answer;
  }

  /** If an observer refuses the answer, the performer does not have the permits that it stood for: they are given back. */
  private @Nullable Object performAcquireTold(Frame here, Effect<?> effect, Semaphore semaphore, long permits) throws Throwable {
    here.observe(this, effect);
    Acquiring acquiring = new Acquiring(this, semaphore);
    try {
      Object answer = dispatchTold(here, effect);
      try {
        here.observed(this, effect, new Result.Ok<@Nullable Object>(answer));
      } catch (Throwable refused) {
        if (acquiring.hasPermit() && !Boolean.FALSE.equals(answer)) {
          semaphore.release(permits);
        }
        throw refused;
      }
      return answer;
    } finally {
      acquiring.end();
    }
  }

  private @Nullable Object performTold(Frame here, Effect<?> effect) throws Throwable {
    here.observe(this, effect);
    Object answer = dispatchTold(here, effect);
    here.observed(this, effect, new Result.Ok<@Nullable Object>(answer));
    return answer;
  }

  private @Nullable Object dispatchTold(Frame here, Effect<?> effect) throws Throwable {
    try {
      return dispatch(effect, here);
    } catch (Throwable failure) {
      if (!Residence.isEnd(failure)) {
        here.observed(this, effect, new Result.Err<>(failure));
      }
      throw failure;
    }
  }

  /**
   * Answers {@code effect} by the innermost handler in {@code scope}, without giving up the turn, and without telling anybody: that was
   * done before.
   */
  @Nullable Object dispatch(Effect<?> effect, Frame scope) throws Throwable {
    Binding binding = scope.find(effect.getClass());
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

  void letHigherGoFirst() {
    run.residence().letHigherGoFirst(active);
  }

  // ---- its life ----

  /** All of it, on its own thread. */
  @Override
  public void run() {
    if (resultOrNull() != null) {
      // Its run was ended before it began.
      return;
    }
    try {
      Program<? extends T> body = Objects.requireNonNull(program);
      program = null;
      Result<T> result = runHandled(body);
      if (body instanceof Leaving<?> leaving) {
        leaving.left(state, log);
      }
      if (result instanceof Result.Err<T>(Throwable error) && isFatal(error)) {
        // One of its resumable handlers, after the program had ended.
        run.stop(error);
        throw error;
      }
      finish(result);
    } catch (Throwable failure) {
      // The run is being ended.
      lost();
      if (!isFatal(failure)) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
    }
  }

  /** Decides how the task has ended, and tells those who wait for it. */
  private void finish(Result<T> result) {
    boolean byCancellation =
        isCancelled()
            && (!(result instanceof Result.Err<T> failed)
                || failed.error() instanceof InterruptedException
                || failed.error() instanceof CancellationException);
    finished = true;
    Result<T> decided = byCancellation ? new Result.Err<>(cancellation()) : result;
    settle(decided, byCancellation ? TaskState.CANCELLED : result.isOk() ? TaskState.COMPLETED : TaskState.FAILED);
  }

  private void settle(Result<T> result, TaskState how) {
    end = how;
    // Whoever keeps the task need not keep these.
    program = null;
    environment = PersistentMap.EMPTY;
    leaveAll();
    if (number != 0) {
      // What the first task leaves is part of the result.
      state = PersistentMap.EMPTY;
      log = Log.EMPTY;
    }
    deliverNoMore();
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

  /** The result of what has ended; whoever asks has seen it. */
  static <U extends @Nullable Object> Result<U> resultOf(Outcome<U> outcome) {
    if (outcome instanceof EffectTask<?> task) {
      task.seen();
    }
    return Objects.requireNonNull(outcome.resultIfEnded());
  }

  // ---- cancelling ----

  /** Asks it to end. False: it has ended, or was asked before. */
  boolean requestCancel() {
    if (isCancelled() || end.isDone()) {
      return false;
    }
    if (active.isNew()) {
      interrupted();
      run.residence().discard(active);
      settle(new Result.Err<>(cancellation()), TaskState.CANCELLED);
    } else {
      host.interrupt(active);
    }
    return true;
  }

  @Override
  public CooperativeTask active() {
    return active;
  }

  // ---- for others ----

  @Override
  public boolean cancel() {
    if (run.residence().hasTurn()) {
      return requestCancel();
    }
    boolean open = !end.isDone() && !isCancelled() && !run.isOver();
    host.inTurn(this::requestCancel);
    return open;
  }

  @Override
  public T result() {
    return valueOnceEnded("wait for it by Effects.join");
  }

  @Override
  public TaskState state() {
    // By the result, which any thread sees; how it ended was written before.
    if (resultOrNull() != null) {
      return end;
    }
    if (active.isRunning()) {
      return TaskState.RUNNING;
    }
    return active.isNew() ? TaskState.PENDING : active.isRunnable() ? TaskState.SUSPENDED : TaskState.BLOCKED;
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

  @Override
  String name() {
    return name.isEmpty() ? "task " + number : name;
  }

  @Override
  public String toString() {
    return "Task[" + name() + ", " + state() + "]";
  }
}
