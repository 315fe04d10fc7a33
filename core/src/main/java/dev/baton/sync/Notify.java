// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * A tap on the shoulder: tells one who waits, or everyone, that something has changed. Carries no data.
 *
 * {@snippet :
 * Queue<String> mail = new ConcurrentLinkedQueue<>();
 * Notify arrived = new Notify();
 * Thread.startVirtualThread(() -> {
 *   mail.add("hello");
 *   arrived.notifyOne(); // before or after somebody waits: it is not lost
 * });
 * String letter = mail.poll();
 * while (letter == null) {
 *   arrived.await();
 *   letter = mail.poll();
 * }
 * }
 *
 * <p><b>One is kept.</b> A notification for one that finds nobody waiting is stored, and the next to wait takes it at once. A
 * second one changes nothing: so many notifications as there were changes do not mean so many wake-ups, and whoever is woken
 * looks at all there is. One for everyone is never stored.
 *
 * <p><b>Order.</b> Those who wait are notified first in, first out, except by {@link #notifyLast}. Nobody is woken without
 * having been notified.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt or cancel takes nothing: a notification that had reached it is passed
 * on, one of {@link #notifyOne} to the first in line, one of {@link #notifyLast} to the last, and stored if nobody waits. One
 * of {@link #notifyEveryone} has reached everyone and is not passed on. A notification that meets a time-out is taken.
 *
 * <p><b>Memory effects.</b> What a thread did before notifying is seen by whoever takes that notification, and also by whoever
 * takes the stored one that it found.
 *
 * <p><b>Cost.</b> One short critical section each; nothing is allocated unless somebody waits. A look at an empty store is one
 * read.
 */
public final class Notify {
  private final NotifyQueue queue = new NotifyQueue();

  /** Nothing is stored, nobody waits. */
  public Notify() {
    Ledger.made(this);
  }

  /** Notifies the one who has waited longest. If nobody waits, one notification is stored; if one is stored already, that is it. */
  public void notifyOne() {
    SwitchPoints.reach(this);
    queue.notifyOne(NotifyQueue.Meant.FIRST);
  }

  /** Notifies the one who came last. If nobody waits, one notification is stored; if one is stored already, that is it. */
  public void notifyLast() {
    SwitchPoints.reach(this);
    queue.notifyOne(NotifyQueue.Meant.LAST);
  }

  /**
   * Notifies all who wait now, in the order in which they came, and nobody who comes later; stores nothing and takes nothing
   * out of the store. (It cannot be called {@code notifyAll}: that name is taken by a final method of {@link Object}, which
   * has nothing to do with this; nor could waiting be called {@code wait}.)
   */
  public void notifyEveryone() {
    SwitchPoints.reach(this);
    queue.notifyEveryone();
  }

  /**
   * Takes the stored notification, or waits for one.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; no notification was taken
   */
  public void await() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    if (await(true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
  }

  /**
   * Takes the stored notification, or waits for one at most {@code timeout}: to the nanosecond; zero or less looks once; more
   * than 292 years waits without a deadline.
   *
   * @param timeout how long to wait at most; zero or less looks once
   * @return true if a notification was taken; false if the time passed first
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; no notification was taken
   */
  public boolean await(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = await(true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == GRANTED;
  }

  /**
   * Takes the stored notification, or waits for one, ignoring interrupts; one that came is pending again on return. A
   * notification was taken.
   */
  public void awaitUninterruptibly() {
    SwitchPoints.reach(this);
    await(false, FOREVER);
  }

  /**
   * Takes the stored notification. Never blocks. False: there was none.
   *
   * @return false if there was none
   */
  public boolean tryAwait() {
    SwitchPoints.reach(this);
    return queue.take();
  }

  /**
   * Waits as a future, which takes no notification when it is cancelled; see {@link #awaitAsync(Duration)}.
   *
   * @return a future that ends with null once it has a notification
   */
  public CompletableFuture<Void> awaitAsync() {
    return request(FOREVER);
  }

  /**
   * Takes the stored notification, or waits for one at most {@code timeout}, and never blocks. The future stands in the same
   * line as blocking waits.
   *
   * <p>It ends with null once a notification was taken, or with {@link TimeoutException}. If it is cancelled, or completed by
   * anybody else, it leaves the line, and a notification that reached it too late is passed on. Callbacks run on the thread
   * that notifies, mostly; or on one whose own wait was cancelled and that passes its notification on.
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
    return queue.waiting();
  }

  @Override
  public String toString() {
    int waiting = queue.waiting();
    String state = waiting > 0 ? waiting + " waiting" : queue.isStored() ? "one stored" : "nothing stored";
    return "Notify@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  private int await(boolean interruptible, long nanos) {
    if (queue.take()) {
      return GRANTED;
    }
    if (nanos == 0) {
      return TIMED_OUT;
    }
    TaskRequest request = new TaskRequest();
    int outcome = queue.register(request);
    return outcome == WAITING ? queue.await(request, this, interruptible, nanos) : outcome;
  }

  private CompletableFuture<Void> request(long nanos) {
    SwitchPoints.reach(this);
    FutureRequest request = new FutureRequest();
    if (nanos == 0) {
      return queue.take() ? request.grantNow() : request.expireNow();
    }
    return request.submitted(queue.register(request), nanos);
  }

  private static final class TaskRequest extends Request implements NotifyQueue.Notified {
    private NotifyQueue.Meant meant = NotifyQueue.Meant.FIRST;

    TaskRequest() {
      super(0);
    }

    @Override
    public void reachedBy(NotifyQueue.Meant by) {
      meant = by;
    }

    @Override
    public NotifyQueue.Meant reachedBy() {
      return meant;
    }
  }

  private final class FutureRequest extends AsyncRequest<Void> implements NotifyQueue.Notified {
    private NotifyQueue.Meant meant = NotifyQueue.Meant.FIRST;

    FutureRequest() {
      super(queue, 0);
    }

    @Override
    protected Object primitive() {
      return Notify.this;
    }

    @Override
    public void reachedBy(NotifyQueue.Meant by) {
      meant = by;
    }

    @Override
    public NotifyQueue.Meant reachedBy() {
      return meant;
    }

    @Override
    @SuppressWarnings("NullAway") // Void has no other value
    protected Void value() {
      return null;
    }

    @Override
    protected void giveBack() {
      queue.giveUp(this);
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A wait is notified or given up, yet one ended with outcome " + outcome + ".");
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("Not notified in time; no notification was taken.");
    }
  }
}
