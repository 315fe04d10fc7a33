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
  private final CooperativeHost host;
  private final Residence residence;
  private final EndOrder ends = new EndOrder();
  private final AwaitLine awaits = new AwaitLine(this);

  /** The tasks that have not ended, oldest first, linked through themselves. */
  private @Nullable EffectTask<?> first;

  private @Nullable EffectTask<?> last;
  private int numbers;
  private boolean closing;
  private List<LeftOver> leftOver = List.of();

  /** Those that failed, until somebody has seen it. Guarded by itself: anybody may look at a task. */
  private final Map<EffectTask<?>, Throwable> unobserved = new LinkedHashMap<>();

  /** Whether nothing that comes from outside matters any more. Read by any thread. */
  private volatile boolean over;

  EffectRun(CooperativeHost host) {
    this.host = host;
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

  boolean isOver() {
    return over;
  }

  /** Whether the program has returned, and whoever is left is to end. */
  boolean isClosing() {
    return closing;
  }

  /** In which order its tasks and promises end. */
  EndOrder ends() {
    return ends;
  }

  // ---- tasks ----

  void add(EffectTask<?> task) {
    task.number = numbers++;
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

  /** The program has returned: cancels whoever is left, and waits until they have cleaned up. */
  void close() {
    closing = true;
    List<LeftOver> left = new ArrayList<>();
    List<EffectTask<?>> tasks = new ArrayList<>();
    for (EffectTask<?> task = first; task != null; task = task.next) {
      left.add(new LeftOver(task.name(), task.state()));
      tasks.add(task);
    }
    leftOver = List.copyOf(left);
    for (EffectTask<?> task : tasks) {
      task.requestCancel();
    }
    for (EffectTask<?> task = first; task != null; task = first) {
      task.await(task, false, FOREVER);
    }
    over = true;
  }

  /** The run is over, one way or another: whoever waits outside for a task is told. Called by whoever has begun the run. */
  void abandon() {
    over = true;
    for (EffectTask<?> task = first; task != null; task = first) {
      task.lost();
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
