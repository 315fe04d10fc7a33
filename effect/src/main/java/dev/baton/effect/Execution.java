// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.Hosts;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.DeadlockException;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.Resident;
import dev.baton.sync.Result;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One program on its way through one run. */
final class Execution<T extends @Nullable Object> {
  private final Program<? extends T> program;
  private final Handlers handlers;
  private final PersistentMap environment;
  private final PersistentMap state;
  private final @Nullable Priority priority;
  private final boolean mayOverlap;

  private @Nullable EffectRun run;
  private @Nullable EffectTask<T> root;

  Execution(
      Program<? extends T> program,
      Handlers handlers,
      PersistentMap environment,
      PersistentMap state,
      @Nullable Priority priority,
      boolean mayOverlap) {
    this.program = program;
    this.handlers = handlers;
    this.environment = environment;
    this.state = state;
    this.priority = priority;
    this.mayOverlap = mayOverlap;
  }

  /** Runs in a world of its own. */
  RunResult<T> in(Cooperative world) {
    Throwable ended = null;
    boolean interrupted = false;
    try {
      world.run(this::live);
    } catch (InterruptedException e) {
      // Before it began.
      interrupted = true;
      ended = beforeItBegan();
    } catch (Throwable failure) {
      ended = failure;
    }
    EffectRun over = run;
    if (over != null) {
      over.abandon();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return result(ended);
  }

  private @Nullable Void live() {
    in((CooperativeHost) Hosts.current());
    return null;
  }

  /** Runs in a world that exists, on the calling task of it. */
  RunResult<T> in(CooperativeHost host) {
    if (Thread.currentThread().isInterrupted()) {
      return result(beforeItBegan());
    }
    EffectRun made = new EffectRun(host, mayOverlap);
    EffectTask<T> task = EffectTask.root(made, program, handlers.in(Frame.NONE), environment, state);
    run = made;
    root = task;
    Resident before = made.residence().moveIn(task);
    task.outer = before;
    Priority outer = host.priority();
    try {
      if (priority != null) {
        host.setPriority(priority);
      }
      task.run();
      made.close();
    } catch (Throwable thrownOut) {
      // The world around is being ended, and with it this run.
      made.thrownOut();
      throw thrownOut;
    } finally {
      made.residence().moveIn(before);
    }
    if (task.isCancelled()) {
      // The interrupt was for the caller as well.
      Thread.currentThread().interrupt();
    }
    if (priority != null) {
      host.setPriority(outer);
    }
    return result(null);
  }

  private RunResult<T> result(@Nullable Throwable ended) {
    EffectRun over = run;
    EffectTask<T> task = root;
    if (over == null || task == null) {
      // Without an error too: the caller was interrupted between the beginning of its world and that of the program.
      Throwable why = ended != null ? ended : beforeItBegan();
      return new RunResult<>(new Result.Err<>(why), Map.of(), List.of(), List.of(), List.of(), Optional.empty());
    }
    Optional<DeadlockException> stuck =
        task.isFinished() && ended instanceof DeadlockException deadlock ? Optional.of(deadlock) : Optional.empty();
    Result<T> result = ended == null || stuck.isPresent() ? EffectTask.resultOf(task) : new Result.Err<>(ended);
    return new RunResult<>(
        result,
        Collections.<Object, @Nullable Object>unmodifiableMap(task.state.toMap()),
        task.log.since(Log.EMPTY),
        over.unobserved(),
        over.leftOver(),
        stuck);
  }

  private static TaskCancelledException beforeItBegan() {
    return new TaskCancelledException("The program was cancelled before it began: its caller was interrupted.");
  }
}
