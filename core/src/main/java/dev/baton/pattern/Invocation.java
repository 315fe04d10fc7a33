// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Several tasks handed in together, by one who waits for all of them or for the first; those left when it is over are cancelled. */
final class Invocation<T extends @Nullable Object> {
  private final BoundedExecutor executor;
  private final Entrance entrance;
  private final Collection<? extends Callable<T>> tasks;
  private final TimeLimit time;

  /** How many of the tasks, from the first on, were accepted. */
  private int accepted;

  Invocation(BoundedExecutor executor, Entrance entrance, Collection<? extends Callable<T>> tasks, long nanos) {
    this.executor = executor;
    this.entrance = entrance;
    this.tasks = tasks;
    this.time = new TimeLimit(nanos);
  }

  /** All of them, ended or cancelled. */
  List<Future<T>> all() throws InterruptedException {
    List<Submitted<T>> all = new ArrayList<>(tasks.size());
    for (Callable<T> task : tasks) {
      all.add(new Submitted<>(executor, task));
    }
    boolean done = false;
    try {
      // Those for which there is no time any more are cancelled with the others below.
      done = handIn(all) && await(all);
    } finally {
      if (!done) {
        cancel(all);
      }
    }
    return List.copyOf(all);
  }

  private boolean handIn(List<Submitted<T>> all) throws InterruptedException {
    for (Submitted<T> submitted : all) {
      if (!entrance.handInWithin(submitted.job, time, null)) {
        return false;
      }
      accepted++;
    }
    return true;
  }

  private boolean await(List<Submitted<T>> all) throws InterruptedException {
    for (Submitted<T> submitted : all) {
      int outcome = submitted.await(submitted, true, time.left());
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      if (outcome != GRANTED) {
        return false;
      }
    }
    return true;
  }

  /** The first value. */
  T any() throws InterruptedException, ExecutionException, TimeoutException {
    // Looked at once: others may add and remove meanwhile, and whoever counts failures must count those that it has handed in.
    List<Callable<T>> entrants = new ArrayList<>(tasks);
    if (entrants.isEmpty()) {
      throw new IllegalArgumentException("No tasks, so none can succeed: give at least one.");
    }
    FirstOf<T> first = new FirstOf<>(entrants.size());
    List<Submitted<T>> all = new ArrayList<>(entrants.size());
    for (Callable<T> task : entrants) {
      all.add(first.entrant(executor, task));
    }
    try {
      handInUntilDecided(all, first);
      return first.await(executor, time.left());
    } finally {
      cancel(all);
    }
  }

  /** The rest need not begin if one has succeeded already. */
  private void handInUntilDecided(List<Submitted<T>> all, FirstOf<T> first)
      throws InterruptedException, TimeoutException {
    for (Submitted<T> submitted : all) {
      if (first.isDecided()) {
        return;
      }
      if (entrance.handInWithin(submitted.job, time, first.decided)) {
        accepted++;
      } else if (!first.isDecided()) {
        throw new TimeoutException("Not all tasks could be handed in in time.");
      }
    }
  }

  private void cancel(List<Submitted<T>> all) {
    // Those that were not accepted are taken out here: to cancel one that could still be taken gives its place back, and they have none.
    all.subList(accepted, all.size()).forEach(submitted -> submitted.job.take());
    all.forEach(submitted -> submitted.cancel(true));
  }
}
