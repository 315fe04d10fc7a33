// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.select.Selectables;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Something that happens once and stays so: all who wait for it go on, and nobody waits for it afterwards.
 *
 * {@snippet :
 * Event started = new Event();
 * Thread.startVirtualThread(started::set);
 * started.await();
 * }
 *
 * <p><b>Once.</b> It is never reset. Whoever comes after {@link #set} does not wait.
 *
 * <p><b>Order.</b> Those who wait are woken in the order in which they came.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt, time-out or cancel concerns nobody else. An event that meets a time-out
 * has happened; an interrupt that meets the event wins.
 *
 * <p><b>Memory effects.</b> What a thread did before it was the first to set the event is seen by whoever has seen it set.
 *
 * <p><b>Cost.</b> Once set, waiting is one read.
 */
public final class Event {
  /** The only result. */
  private static final Object HAPPENED = "set";

  static {
    Selectables.events(event -> event.completion);
  }

  private final Completion completion = new Completion();

  /** Has not happened. */
  public Event() {
    Ledger.made(this);
  }

  /**
   * Says that it has happened and wakes all who wait. True for the first who says so; later calls change nothing.
   *
   * @return true for the first who says so
   */
  public boolean set() {
    SwitchPoints.reach(this);
    return completion.complete(HAPPENED);
  }

  /** {@return whether it has happened} */
  public boolean isSet() {
    SwitchPoints.reach(this);
    return completion.resultOrNull() != null;
  }

  /**
   * Waits until it has happened. It has, on return.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   */
  public void await() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    if (completion.await(this, true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
  }

  /**
   * Waits until it has happened, at most {@code timeout}: to the nanosecond; zero or less looks once; more than 292 years waits
   * without a deadline.
   *
   * @param timeout how long to wait at most; zero or less looks once
   * @return true if it has happened; false if the time passed first
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   */
  public boolean await(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = completion.await(this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == GRANTED;
  }

  /** Waits until it has happened, ignoring interrupts; one that came is pending again on return. */
  public void awaitUninterruptibly() {
    SwitchPoints.reach(this);
    completion.await(this, false, FOREVER);
  }

  /**
   * Waits as a future, which leaves nothing behind when it is cancelled; see {@link #awaitAsync(Duration)}.
   *
   * @return a future that ends with null once it has happened
   */
  public CompletableFuture<Void> awaitAsync() {
    return request(FOREVER);
  }

  /**
   * A future that ends with null once it has happened, or with {@link TimeoutException} if that takes longer than
   * {@code timeout}. Cancelling or completing it ends only the future itself, which then waits no more. Callbacks run on the
   * thread that sets the event.
   *
   * @param timeout how long to wait at most; zero or less looks once
   * @return a future that ends with null, or in time with {@link TimeoutException}
   */
  public CompletableFuture<Void> awaitAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  /** {@return how many wait} */
  public int waiting() {
    SwitchPoints.reach(this);
    return completion.waiting();
  }

  @Override
  public String toString() {
    String state = completion.resultOrNull() != null ? "set" : "not set, " + completion.waiting() + " waiting";
    return "Event@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  private CompletableFuture<Void> request(long nanos) {
    SwitchPoints.reach(this);
    EventRequest request = new EventRequest();
    if (nanos == 0) {
      return completion.resultOrNull() != null ? request.grantNow() : request.expireNow();
    }
    return request.submitted(completion.register(request), nanos);
  }

  private final class EventRequest extends AsyncRequest<Void> {
    EventRequest() {
      super(completion, 0);
    }

    @Override
    protected Object primitive() {
      return Event.this;
    }

    @Override
    @SuppressWarnings("NullAway") // Void has no other value
    protected Void value() {
      return null;
    }

    @Override
    protected void giveBack() {
      // Nothing was taken.
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("An event only happens, yet a wait ended with outcome " + outcome + ".");
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("The event did not happen in time.");
    }
  }
}
