// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.channel.WatchQueue.Mark;
import dev.baton.channel.WatchQueue.Version;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Somebody who watches a {@link Watch}, and remembers which value it has seen last.
 *
 * <p>Several tasks may use one watcher: a value that comes while they wait is given to all of them; one that is there already, to the
 * first who asks.
 *
 * <p><b>Cancellation.</b> A wait that ends early has seen nothing. Delivery wins: whoever was given a value before the interrupt was
 * seen returns it, with the interrupt pending.
 *
 * @param <T> the type of the value
 */
public final class Watcher<T> {
  private final WatchQueue queue;
  private final Mark mark;

  Watcher(WatchQueue queue) {
    this.queue = queue;
    this.mark = new Mark(queue.latest());
    Ledger.made(this);
  }

  /** {@return the latest value, seen or not; also after the watch was closed} Does not count as seeing it. */
  public T get() {
    SwitchPoints.reach(this);
    return Channel.cast(queue.latest().value());
  }

  /**
   * Waits until there is a value this watcher has not seen, and returns it. It is seen then.
   *
   * @return the value
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was seen
   * @throws ChannelClosedException if the watch is closed, and its last value was seen
   */
  public T changed() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    return value(next(true, FOREVER), Watcher::closed);
  }

  /**
   * Like {@link #changed}, ignoring interrupts while waiting; one that came is pending again on return.
   *
   * @return the value
   */
  public T changedUninterruptibly() {
    SwitchPoints.reach(this);
    try {
      return value(next(false, FOREVER), Watcher::closed);
    } catch (InterruptedException e) {
      throw new AssertionError("an interrupt was to be ignored", e);
    }
  }

  /**
   * The latest value, if this watcher has not seen it; it is seen then. Never blocks.
   *
   * @return the latest value, or {@link Received.Empty} if this watcher has seen it
   */
  public Received<T> tryChanged() {
    SwitchPoints.reach(this);
    return poll();
  }

  /**
   * Like {@link #changed}, waiting at most {@code timeout}: zero or less looks once.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Received.Empty} if the time passed first; nothing was seen
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was seen
   */
  public Received<T> tryChanged(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    return next(true, nanos);
  }

  /**
   * Waits as a future, which has seen nothing if it is cancelled; see {@link #changedAsync(Duration)}.
   *
   * @return a future that ends with the value, or with what {@link #changed} throws
   */
  public CompletableFuture<T> changedAsync() {
    return request(FOREVER);
  }

  /**
   * {@return a future of the next value that this watcher has not seen, for at most {@code timeout}}
   *
   * <p>It ends with the value; or with {@link TimeoutException} or {@link ChannelClosedException}. Cancelling it before ends the wait,
   * and nothing was seen; cancelling it when a value is on its way does nothing. Callbacks run on the thread that sets the value.
   *
   * @param timeout how long to wait at most; zero or less tries once
   */
  public CompletableFuture<T> changedAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  /**
   * Waits until the value satisfies {@code condition}, and returns the value that did. It is seen then, as is all that came before. The
   * present value is looked at first, seen or not. Values that come quickly one after the other may be passed over. The condition runs
   * on the calling task, with no lock held; if it throws, so does this, and nothing was seen.
   *
   * @param condition asked for the present value and each new one, with no lock held; must not wait
   * @return the value
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was seen
   * @throws ChannelClosedException if the watch is closed, and its last value does not satisfy the condition
   */
  public T waitFor(Predicate<? super T> condition) throws InterruptedException {
    Objects.requireNonNull(condition, "condition");
    SwitchPoints.reach(this);
    Interrupts.check();
    return value(find(condition, FOREVER), Watcher::neverSatisfied);
  }

  /**
   * Like {@link #waitFor(Predicate)}, waiting at most {@code timeout}: zero or less looks once.
   *
   * @param condition asked for the present value and each new one, with no lock held; must not wait
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Received.Empty} if the time passed first; nothing was seen
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was seen
   */
  public Received<T> tryWaitFor(Predicate<? super T> condition, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(condition, "condition");
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    return find(condition, nanos);
  }

  @Override
  public String toString() {
    String state = mark.seen() == queue.latest().number() ? "nothing new" : "something new";
    return "Watcher@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + (queue.isClosed() ? ", closed]" : "]");
  }

  // ---- inside ----

  WatchQueue queue() {
    return queue;
  }

  Mark mark() {
    return mark;
  }

  private Received<T> poll() {
    // Before the value: nothing is set after it.
    boolean closed = queue.isClosed();
    Version unseen = queue.pollUnseen(mark);
    if (unseen != null) {
      return given(unseen);
    }
    return closed ? new Received.Closed<>() : new Received.Empty<>();
  }

  private Received<T> next(boolean interruptible, long nanos) throws InterruptedException {
    Received<T> there = poll();
    if (nanos == 0 || !(there instanceof Received.Empty<T>)) {
      return there;
    }
    WatchRequests.Change request = new WatchRequests.Change(mark);
    int outcome = queue.submit(request);
    if (outcome == WAITING) {
      outcome = queue.awaitDelivery(request, this, interruptible, nanos);
    }
    return outcome == GRANTED ? given(request.version()) : nothing(outcome);
  }

  private Received<T> find(Predicate<? super T> condition, long nanos) throws InterruptedException {
    Host host = Hosts.current();
    long deadline = nanos == FOREVER ? 0 : host.nanoTime() + nanos;
    Version version = queue.latest();
    while (!condition.test(Channel.cast(version.value()))) {
      long left = nanos == FOREVER ? FOREVER : deadline - host.nanoTime();
      if (left <= 0) {
        // Closed first: nothing is set after that.
        return queue.isClosed() && queue.latest() == version ? new Received.Closed<>() : new Received.Empty<>();
      }
      // Where values come faster than they are looked at, nothing below ever waits.
      Interrupts.check();
      WatchRequests.Later request = new WatchRequests.Later(version);
      int outcome = queue.submit(request);
      if (outcome == WAITING) {
        outcome = queue.awaitDelivery(request, this, true, left);
      }
      if (outcome != GRANTED) {
        return nothing(outcome);
      }
      version = request.version();
    }
    queue.see(mark, version);
    return given(version);
  }

  private CompletableFuture<T> request(long nanos) {
    SwitchPoints.reach(this);
    WatchRequests.AsyncChange<T> request = new WatchRequests.AsyncChange<>(queue, this, mark);
    if (nanos > 0) {
      return request.submitted(queue.submit(request), nanos);
    }
    boolean closed = queue.isClosed();
    Version unseen = queue.pollUnseen(mark);
    if (unseen != null) {
      request.version(unseen);
      return request.submitted(GRANTED, FOREVER);
    }
    return closed ? request.submitted(CLOSED, FOREVER) : request.expireNow();
  }

  private static <T> Received<T> given(Version version) {
    return new Received.Value<>(Channel.cast(version.value()));
  }

  private static <T> Received<T> nothing(int outcome) throws InterruptedException {
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == TIMED_OUT ? new Received.Empty<>() : new Received.Closed<>();
  }

  private static <T> T value(Received<T> received, Supplier<? extends RuntimeException> closed) {
    return received.value().orElseThrow(closed);
  }

  static ChannelClosedException closed() {
    return new ChannelClosedException("No new value will come: the watch is closed, and its last value was seen. get() has it.");
  }

  private static ChannelClosedException neverSatisfied() {
    return new ChannelClosedException("The condition will not come true: the watch is closed, and its last value does not satisfy it.");
  }
}
