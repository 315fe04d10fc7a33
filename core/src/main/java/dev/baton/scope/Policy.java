// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.sync.Result;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the end of one task means for the others. */
interface Policy {

  /** A fork is about to be started. */
  default void forked(Fork<?> fork) {}

  /** It could not be started. */
  default void refused(Fork<?> fork) {}

  /** The body of {@code fork} has ended, with {@code error} unless that is null. {@code stopped}: after it was told to. */
  void ended(Fork<?> fork, @Nullable Throwable error, boolean stopped, Nursery nursery);

  /** The first failure stops everybody. */
  final class FailFast implements Policy {
    @Override
    public void ended(Fork<?> fork, @Nullable Throwable error, boolean stopped, Nursery nursery) {
      if (error != null && fork.hasFailed()) {
        if (stopped) {
          nursery.addFailure(error);
        } else {
          nursery.fail(error);
        }
      }
    }
  }

  /** Nobody is stopped, and everybody is remembered. */
  final class CollectAll implements Policy {
    /** In the order of the forks; guarded by this. */
    private final List<Fork<?>> all = new ArrayList<>();

    @Override
    public synchronized void forked(Fork<?> fork) {
      all.add(fork);
    }

    @Override
    public synchronized void refused(Fork<?> fork) {
      all.remove(fork);
    }

    @Override
    public void ended(Fork<?> fork, @Nullable Throwable error, boolean stopped, Nursery nursery) {
      // Each keeps its own result.
    }

    synchronized List<Result<?>> results() {
      List<Result<?>> results = new ArrayList<>(all.size());
      for (Fork<?> fork : all) {
        fork.outcome().ifPresent(results::add);
      }
      return List.copyOf(results);
    }
  }

  /** The first success stops everybody. */
  final class FirstSuccess implements Policy {
    /** Guarded by this. */
    private @Nullable Fork<?> winner;

    @Override
    public void ended(Fork<?> fork, @Nullable Throwable error, boolean stopped, Nursery nursery) {
      if (error != null) {
        if (fork.hasFailed()) {
          nursery.addFailure(error);
        }
      } else if (isFirst(fork)) {
        nursery.stop(null, false);
      }
    }

    private synchronized boolean isFirst(Fork<?> fork) {
      boolean first = winner == null;
      if (first) {
        winner = fork;
      }
      return first;
    }

    synchronized @Nullable Fork<?> winner() {
      return winner;
    }
  }
}
