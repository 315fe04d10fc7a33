// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Alarms;
import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.observe.Waits;
import dev.baton.internal.observe.Watch;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits as a future. Whoever completes the future first wins: the grant, the deadline, or the user; in the
 * latter two cases the request leaves the queue, and what it was granted meanwhile goes back.
 *
 * @param <T> what the future delivers
 */
public abstract class AsyncRequest<T extends @Nullable Object> extends Request implements Runnable {
  private final Line queue;

  @SuppressWarnings("this-escape") // the future only keeps it
  private final GrantFuture<T> future = new GrantFuture<>(this);

  private volatile Host.@Nullable Timer timer;

  /** What is written down about the wait, if anything is. */
  private volatile Waits.@Nullable Entry known;

  /** A request for {@code need} permits of {@code queue}. */
  protected AsyncRequest(Line queue, long need) {
    super(need, Hosts.current(), null);
    this.queue = queue;
  }

  /** What is waited for, as people know it. */
  protected abstract Object primitive();

  /** What the future delivers, now that it is granted. Made beforehand: between grant and delivery nothing may fail. */
  protected abstract T value();

  /** Gives back what was granted and not delivered. */
  protected abstract void giveBack();

  /** The error that was granted in the place of a value, or null. */
  protected @Nullable Throwable error() {
    return null;
  }

  /** Whether what was decided must be delivered, because it cannot be given back: then nobody else completes the future any more. */
  protected boolean deliveryWins() {
    return false;
  }

  /** The error for CLOSED, REFUSED or OVERFULL. */
  protected abstract Exception failure(int outcome);

  /** The future of a request that needed no waiting. */
  public final CompletableFuture<T> grantNow() {
    decide(GRANTED);
    deliver();
    return future;
  }

  /** The future of a request that was put in its queue with {@code outcome}, and waits at most {@code nanos}. */
  public final CompletableFuture<T> submitted(int outcome, long nanos) {
    if (outcome != WAITING) {
      decide(outcome);
      deliver();
      return future;
    }
    if (Watch.seesWaits()) {
      // Before the timer, which may find the wait over at once.
      known = beginWait();
    }
    if (nanos != FOREVER) {
      expireAfter(nanos);
    }
    // Decided meanwhile: the delivery may have looked for these before they were there.
    if (outcome() != WAITING || future.isDone()) {
      over(outcome());
    }
    return future;
  }

  /** The future of a request that found no free permits and may not wait. */
  public final CompletableFuture<T> expireNow() {
    future.fail(timeout());
    return future;
  }

  /** Nobody sleeps. */
  @Override
  public final void wakeEarly() {}

  @Override
  public final void wake() {
    // As in every wait: the outcome is stored before it is looked whether there is a timer, and whoever sets one looks after that
    // for the outcome. Without it both may miss the other, and the timer would stay until its time.
    VarHandle.fullFence();
    Callbacks.run(host(), this);
  }

  /** Delivers the outcome. Itself the task, so that nothing is allocated between grant and delivery. */
  @Override
  public final void run() {
    deliver();
  }

  private void deliver() {
    over(outcome());
    if (outcome() != GRANTED) {
      future.fail(failure(outcome()));
    } else if (!prepare()) {
      handOver();
    }
  }

  /**
   * Begins what has to be done with a grant before it can be delivered, such as making what it is for. Must not block, nor throw.
   *
   * @return true if {@link #handOver} will be called when that is done; by default there is nothing to do
   */
  protected boolean prepare() {
    return false;
  }

  /** Whether nobody waits for the delivery any more. */
  protected final boolean isAbandoned() {
    return future.isDone();
  }

  /** Delivers the value or the error, now that it is there. */
  protected final void handOver() {
    Throwable error = error();
    if (error != null) {
      future.fail(error);
    } else if (!future.deliver(value())) {
      giveBack();
    }
  }

  /**
   * Leaves the queue, and lets somebody else complete the future before the callbacks of the next in line run. Tasks among those
   * are woken before: completing a future runs its own callbacks, which may wait for them.
   */
  final boolean endBy(BooleanSupplier completion) {
    over(Waits.GIVEN_UP);
    boolean[] completed = new boolean[1];
    if (!queue.cancel(this, () -> completed[0] = completion.getAsBoolean())) {
      // Decided before: the delivery and this completion race for the future, and a grant that loses goes back.
      return !deliveryWins() && completion.getAsBoolean();
    }
    return completed[0];
  }

  private void expireAfter(long nanos) {
    try {
      // In a task of its own: the timer must not run the callbacks of whoever is served next.
      timer = Alarms.set(host(), host().nanoTime() + nanos, "baton-timeout", this::expire);
    } catch (Throwable failure) {
      // The caller gets the error instead of the future, so nothing may stay behind.
      if (!future.completeExceptionally(failure) && outcome() == GRANTED) {
        giveBack();
      }
      throw failure;
    }
  }

  private void expire() {
    over(TIMED_OUT);
    queue.cancel(this, () -> future.fail(timeout()));
  }

  private Waits.@Nullable Entry beginWait() {
    try {
      return Waits.begin(this, primitive());
    } catch (OutOfMemoryError noRoom) {
      // The request stands in its queue: better not known than lost.
      return null;
    }
  }

  /** Nothing is waited for any more, because of {@code outcome}. */
  private void over(int outcome) {
    Host.Timer running = timer;
    if (running != null) {
      running.cancel();
    }
    Waits.Entry wait = known;
    if (wait != null) {
      Waits.end(wait, outcome);
    }
  }

  /** The error for a deadline that came first. */
  protected TimeoutException timeout() {
    return new TimeoutException("Not granted in time; nothing is held.");
  }
}
