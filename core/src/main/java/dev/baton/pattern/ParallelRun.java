// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.threads.Backoff;
import dev.baton.internal.threads.ThreadHost;
import dev.baton.pattern.Parallel.Mapper;
import dev.baton.scope.Scope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link Parallel}.
 *
 * <p>The caller pulls items and forks a worker for each until there are as many workers as may run. From then on it sleeps, and a worker
 * that is done with its item pulls the next one itself: to start a thread, and to wake the caller for it, costs many times as much as a
 * small task. Whoever pulls has the turn to do so; a worker that finds the turn taken does not wait for it, but ends, and whoever has the
 * turn then sees that there is room and wakes the caller. So nobody idles: of all threads at most one waits for the source.
 *
 * <pre>
 *   state = workers (low 32 bits) + PULLING + ASLEEP + OVER
 *
 *   not OVER and workers &lt; limit  ⇒  PULLING, or the caller is awake            nobody is missing for long
 *   OVER is set once                                                           nothing is started after it
 * </pre>
 *
 * <p>All workers are forked by the caller: only its thread has the context that tasks are to have.
 */
final class ParallelRun<T extends @Nullable Object, R extends @Nullable Object, X extends Exception> {
  /** Somebody has the turn to pull. */
  private static final long PULLING = 1L << 32;

  /** The caller sleeps until there is room, or nothing to do any more. */
  private static final long ASLEEP = 1L << 33;

  /** The source is empty, or something has failed. */
  private static final long OVER = 1L << 34;

  /** How often to look for the turn: a pull from memory takes less. */
  private static final int LOOKS = 200;

  /** How long a worker goes on before it lets others of its carrier begin. */
  private static final long SLICE_NANOS = 20_000;

  private static final Object WOKEN = "woken";

  private static final VarHandle STATE = Fields.find(MethodHandles.lookup(), "state", long.class);

  private final int limit;
  private final Mapper<? super T, ? extends R, X> work;

  // Used by whoever has the turn.
  private final Iterator<? extends T> source;
  private final @Nullable Results<R> results;

  private volatile long state;

  /** What the caller sleeps on; written before ASLEEP, read by the one who takes that away. */
  private Completion alarm = new Completion();

  ParallelRun(
      Iterator<? extends T> source, int limit, Mapper<? super T, ? extends R, X> work, @Nullable Results<R> results) {
    this.source = source;
    this.limit = limit;
    this.work = work;
    this.results = results;
    Ledger.made(this);
  }

  // ---- the caller ----

  /** All of it, in a scope of its own. */
  void pullAndFork(Scope scope) throws Exception {
    try {
      while (awaitTurn()) {
        Worker worker = new Worker();
        if (!pullByCaller(worker, scope)) {
          break;
        }
        if (!beginWorker()) {
          break;
        }
        scope.fork(worker);
      }
    } finally {
      // Also when it ends by an error: no worker may go on then.
      stop();
    }
    // An interrupt is left pending for this: the scope knows whether it was its own, and what for.
    scope.join();
  }

  /** Waits until there is room and nobody else pulls, and takes the turn. False: over, or interrupted, and that is pending. */
  private boolean awaitTurn() {
    SwitchPoints.reach(this);
    int looks = 0;
    while (!Thread.currentThread().isInterrupted()) {
      long now = state;
      if ((now & OVER) != 0) {
        return false;
      }
      boolean room = workers(now) < limit;
      if (room && (now & PULLING) == 0) {
        if (STATE.compareAndSet(this, now, now | PULLING)) {
          return true;
        }
      } else if (room && looks < LOOKS && Hosts.current().maySpin()) {
        looks++;
        Thread.onSpinWait();
      } else if (!sleep(now)) {
        return false;
      }
    }
    return false;
  }

  /** Sleeps until woken, unless something has changed since {@code now}. False: interrupted, and that is pending. */
  private boolean sleep(long now) {
    Completion next = new Completion();
    alarm = next;
    if (STATE.compareAndSet(this, now, now | ASLEEP) && next.await(this, true, FOREVER) == INTERRUPTED) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }

  private boolean pullByCaller(Worker worker, Scope scope) throws Exception {
    try {
      return pull(worker);
    } catch (Throwable failure) {
      stop();
      if (Thread.currentThread().isInterrupted() || failure instanceof InterruptedException) {
        throw interruptedBy(failure, scope);
      }
      throw failure;
    }
  }

  /** The source gave up because the caller was interrupted: what that was for says more. */
  private static Throwable reasonFor(Throwable failure, Scope scope) {
    Thread.currentThread().interrupt();
    try {
      scope.join();
      return failure;
    } catch (Throwable reason) {
      if (failure instanceof InterruptedException || failure instanceof CancellationException) {
        return reason;
      }
      return Failures.join(reason, failure);
    }
  }

  private static Exception interruptedBy(Throwable failure, Scope scope) throws Exception {
    throw Failures.<Exception>rethrow(reasonFor(failure, scope));
  }

  /** The caller has pulled an item: gives the turn back, and has one worker more. False: over. */
  private boolean beginWorker() {
    while (true) {
      long now = state;
      if ((now & OVER) != 0) {
        return false;
      }
      if (STATE.compareAndSet(this, now, (now & ~PULLING) + 1)) {
        return true;
      }
    }
  }

  // ---- whoever has the turn ----

  /** Pulls the next item into the hands of {@code worker}. False: there is none. */
  private boolean pull(Worker worker) {
    if (!source.hasNext()) {
      return false;
    }
    worker.item = source.next();
    if (results != null) {
      worker.piece = results.piece();
      worker.place = results.place();
    }
    return true;
  }

  /** Lets nobody pull any more, and the caller see that. */
  private void stop() {
    long before = (long) STATE.getAndBitwiseOr(this, OVER);
    if ((before & ASLEEP) != 0 && (before & OVER) == 0) {
      alarm.complete(WOKEN);
    }
  }

  private static int workers(long state) {
    return (int) state;
  }

  @Override
  public String toString() {
    long now = state;
    return "Parallel[" + workers(now) + " of " + limit + " running" + ((now & OVER) != 0 ? ", nothing more to pull" : "") + "]";
  }

  /** Runs one task after the other. It has its first item when it is forked. */
  private final class Worker implements Callable<@Nullable Void> {
    private @Nullable T item;
    private @Nullable Object @Nullable [] piece;
    private int place;

    @Override
    public @Nullable Void call() throws X {
      boolean done = false;
      try {
        Host host = Hosts.current();
        long since = host.nanoTime();
        do {
          runTask();
          since = giveWay(host, since);
        } while (next());
        done = true;
        return null;
      } finally {
        if (!done) {
          stop();
        }
      }
    }

    @SuppressWarnings("NullAway") // an item may be null only if T says so
    private void runTask() throws X {
      T mine = item;
      item = null;
      R result = work.apply(mine);
      if (piece != null) {
        piece[place] = result;
      }
    }

    /** Virtual threads are not preempted: without this, workers that were forked with an item might never begin. */
    private long giveWay(Host host, long since) {
      if (host != ThreadHost.INSTANCE || host.nanoTime() - since < SLICE_NANOS) {
        return since;
      }
      Backoff.giveWay();
      return host.nanoTime();
    }

    /** Pulls the next item. False: the worker has to end. */
    private boolean next() {
      SwitchPoints.reach(ParallelRun.this);
      if (Thread.currentThread().isInterrupted()) {
        // By its task, or because all is being cancelled. Either way the flag is not for the next task: a new thread goes on.
        leave();
        return false;
      }
      if (!takeTurn()) {
        return false;
      }
      if (pull(this)) {
        return giveTurnBack();
      }
      stop();
      return false;
    }

    private void leave() {
      while (true) {
        long now = state;
        long fewer = (now & ~ASLEEP) - 1;
        if (STATE.compareAndSet(ParallelRun.this, now, fewer)) {
          wakeIf((now & ASLEEP) != 0);
          return;
        }
      }
    }

    private boolean takeTurn() {
      int looks = 0;
      while (true) {
        long now = state;
        if ((now & OVER) != 0) {
          return false;
        }
        if ((now & PULLING) == 0) {
          if (STATE.compareAndSet(ParallelRun.this, now, now | PULLING)) {
            return true;
          }
        } else if (looks < LOOKS && Hosts.current().maySpin()) {
          looks++;
          Thread.onSpinWait();
        } else if (STATE.compareAndSet(ParallelRun.this, now, now - 1)) {
          return false;
        }
      }
    }

    /** False: over meanwhile, so that the item that was pulled is not begun. */
    private boolean giveTurnBack() {
      while (true) {
        long now = state;
        if ((now & OVER) != 0) {
          return false;
        }
        boolean wake = (now & ASLEEP) != 0 && workers(now) < limit;
        long next = now & ~PULLING;
        if (STATE.compareAndSet(ParallelRun.this, now, wake ? next & ~ASLEEP : next)) {
          wakeIf(wake);
          return true;
        }
      }
    }

    private void wakeIf(boolean asleep) {
      if (asleep) {
        alarm.complete(WOKEN);
      }
    }
  }
}
