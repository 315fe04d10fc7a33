// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.internal.outcome.Outcome;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.Residence;
import dev.baton.sync.Result;
import dev.baton.sync.Waitable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run: its tasks, and what becomes known about them. All of it belongs to whoever has the turn, but for what says otherwise. */
final class EffectRun {
  /** So many tasks may be spawned to clean up after the program has returned: a run has to end. */
  private static final int CLEAN_UP_TASKS = 10_000;

  private final CooperativeHost host;
  private final Residence residence;
  private final EndOrder ends = new EndOrder();
  private final AwaitLine awaits = new AwaitLine(this);
  private final boolean mayOverlap;

  /** The tasks that have not ended, oldest first, linked through themselves. */
  private @Nullable EffectTask<?> first;

  private @Nullable EffectTask<?> last;
  private boolean closing;
  private int spawnedToCleanUp;
  private List<LeftOver> leftOver = List.of();

  /** Those that failed, until somebody has seen it. Guarded by itself: anybody may look at a task. */
  private final Map<EffectTask<?>, Throwable> unobserved = new LinkedHashMap<>();

  /** Whether nothing that comes from outside matters any more. Read by any thread. */
  private volatile boolean over;

  EffectRun(CooperativeHost host, boolean mayOverlap) {
    this.host = host;
    this.mayOverlap = mayOverlap;
    this.residence = host.residence();
  }

  CooperativeHost host() {
    return host;
  }

  Residence residence() {
    return residence;
  }

  AwaitLine awaits() {
    return awaits;
  }

  /** Whether awaited work may overlap, if a handler lets it. */
  boolean mayOverlap() {
    return mayOverlap;
  }

  boolean isOver() {
    return over;
  }

  /** In which order its tasks and promises end. */
  EndOrder ends() {
    return ends;
  }

  // ---- tasks ----

  /** A task is about to be spawned. Refused if the program has returned, and too many were spawned since; or if the run is over. */
  void spawning() {
    if (over) {
      throw new IllegalStateException("The run is over, and starts no more tasks.");
    }
    if (closing && spawnedToCleanUp++ >= CLEAN_UP_TASKS) {
      throw new IllegalStateException(
          "The program has returned, and clean-up has spawned " + CLEAN_UP_TASKS + " tasks since: it may spawn no more.");
    }
  }

  void add(EffectTask<?> task) {
    if (last == null) {
      first = task;
    } else {
      last.next = task;
      task.previous = last;
    }
    last = task;
  }

  void remove(EffectTask<?> task) {
    EffectTask<?> before = task.previous;
    EffectTask<?> after = task.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    task.previous = null;
    task.next = null;
  }

  void failed(EffectTask<?> task, Throwable error) {
    synchronized (unobserved) {
      unobserved.put(task, error);
    }
  }

  void seen(EffectTask<?> task) {
    synchronized (unobserved) {
      unobserved.remove(task);
    }
  }

  /**
   * The program has returned: cancels whoever is left, and waits until they have cleaned up. Tasks that they spawn for that are not
   * disturbed before; whoever of those is left then is cancelled as they were.
   */
  void close() {
    closing = true;
    List<EffectTask<?>> left = alive();
    leftOver = left.stream().map(task -> new LeftOver(task.name(), task.state())).toList();
    while (!left.isEmpty()) {
      left.forEach(EffectTask::requestCancel);
      for (EffectTask<?> task : left) {
        if (task.resultOrNull() == null) {
          task.await(task, false, FOREVER);
        }
      }
      left = alive();
    }
    over = true;
  }

  private List<EffectTask<?>> alive() {
    List<EffectTask<?>> all = new ArrayList<>();
    for (EffectTask<?> task = first; task != null; task = task.next) {
      all.add(task);
    }
    return all;
  }

  /** The run is over, one way or another: whoever waits outside for a task is told. Called by whoever has begun the run. */
  void abandon() {
    over = true;
    for (EffectTask<?> task = first; task != null; task = first) {
      task.lost();
    }
  }

  /**
   * The run is being ended together with the one around it. Those that have begun are thrown out, and end by that; those that have not
   * never will. Called by the first task.
   */
  void thrownOut() {
    over = true;
    for (EffectTask<?> task : alive()) {
      if (task.active.isNew()) {
        task.lost();
      }
    }
  }

  /** An error after which nothing can be trusted: ends the run. */
  void stop(Throwable error) {
    host.stop(error);
  }

  // ---- what is asked in the end ----

  List<LeftOver> leftOver() {
    return leftOver;
  }

  List<UnobservedFailure> unobserved() {
    synchronized (unobserved) {
      List<UnobservedFailure> all = new ArrayList<>();
      unobserved.forEach((task, error) -> all.add(new UnobservedFailure(task.name(), error)));
      return List.copyOf(all);
    }
  }

  // ---- handles ----

  /** Where the result of {@code waitable} will be. */
  <T extends @Nullable Object> Outcome<T> outcomeOf(Waitable<T> waitable) {
    if (waitable instanceof Ending<?> ending && ending.run != this) {
      throw new ForeignHandleException(waitable);
    }
    return Waitables.outcomeOf(waitable);
  }

  /** The future of a promise that this run keeps itself. */
  <T extends @Nullable Object> void keep(Promise<T> promise, Result<T> result) {
    Ending<T> future = promise.ending();
    if (future.run != this) {
      throw new ForeignHandleException(promise);
    }
    if (promise instanceof ExternalPromise<?>) {
      throw new IllegalArgumentException(
          "An external promise is kept by its own methods, complete and fail, which may be called anywhere; not by an effect.");
    }
    if (!future.end(result)) {
      throw new IllegalStateException(promise + " was kept before: a promise is completed or failed once.");
    }
  }
}
