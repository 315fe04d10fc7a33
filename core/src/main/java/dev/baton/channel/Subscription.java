// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;
import static dev.baton.internal.kernel.BroadcastQueue.ENDED;
import static dev.baton.internal.kernel.BroadcastQueue.LEFT;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.BroadcastQueue;
import dev.baton.internal.kernel.BroadcastQueue.Cursor;
import dev.baton.internal.kernel.BroadcastQueue.Lagged;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.OneByOne;
import dev.baton.internal.observe.Parts;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber of a {@link Broadcast}: receives each value that was sent after it subscribed, in order.
 *
 * <p>Several tasks may use one subscription: each value goes to one of them, to the one who has waited longest. A lag is told to one
 * of them, too.
 *
 * @param <T> the type of the values
 */
public final class Subscription<T> implements AutoCloseable, Iterable<T> {
  static {
    Parts.install(Subscription.class, subscription -> subscription.broadcast);
  }

  private final Broadcast<T> broadcast;
  private final BroadcastQueue queue;
  private final Cursor cursor = new Cursor();

  Subscription(Broadcast<T> broadcast, BroadcastQueue queue) {
    this.broadcast = broadcast;
    this.queue = queue;
    Ledger.made(this);
  }

  Cursor cursor() {
    return cursor;
  }

  BroadcastQueue queue() {
    return queue;
  }

  /** The next value; null if there is none yet; {@code over} if none will come. Throws what {@link #receive} would, instead of a value. */
  @Nullable Object pollOr(Object over) {
    Object item = queue.pollItem(cursor);
    if (item == null) {
      return null;
    }
    return item == LEFT || (item == ENDED && broadcast.error() == null) ? over : value(item);
  }

  LaggedException lagged(long missed) {
    return new LaggedException(missed, broadcast.capacity());
  }

  IllegalStateException ended() {
    return broadcast.ended("receive");
  }

  /**
   * Receives the next value, waiting for it if need be.
   *
   * @return the value, which every other subscriber gets too
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws LaggedException if values were missed; it says how many, once, and the next receive goes on with what is left
   * @throws ChannelClosedException if the broadcast is closed and all was received, or if this subscription is closed
   * @throws ChannelFailedException if the broadcast has failed, and all that was sent before has been received
   */
  public T receive() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    return value(Objects.requireNonNull(take(true, FOREVER)));
  }

  /**
   * Receives the next value, ignoring interrupts while waiting; one that came is pending again on return. See {@link #receive}.
   *
   * @return the value, which every other subscriber gets too
   */
  public T receiveUninterruptibly() {
    SwitchPoints.reach(this);
    try {
      return value(Objects.requireNonNull(take(false, FOREVER)));
    } catch (InterruptedException e) {
      throw new AssertionError("an interrupt was to be ignored", e);
    }
  }

  /**
   * Receives the next value if there is one. Never blocks.
   *
   * @return the value, or why there is none
   */
  public Heard<T> tryReceive() {
    SwitchPoints.reach(this);
    return heard(queue.pollItem(cursor));
  }

  /**
   * Receives the next value, waiting at most {@code timeout}: zero or less tries once.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Heard.Empty} if the time passed first; nothing was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   */
  public Heard<T> tryReceive(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    return heard(take(true, nanos));
  }

  /**
   * Receives the next value and never blocks; cancelled in time, it has taken none. See {@link #receiveAsync(Duration)}.
   *
   * @return a future that ends with the value, or with what {@link #receive} throws
   */
  public CompletableFuture<T> receiveAsync() {
    return request(FOREVER);
  }

  /**
   * Receives the next value, for at most {@code timeout}, and never blocks. The request stands in the same line as those who wait.
   *
   * <p>The future ends with the value; or with {@link TimeoutException}, {@link LaggedException}, {@link ChannelClosedException} or
   * {@link ChannelFailedException}. Cancelling it before takes it out of the line; cancelling it when a value is on its way does
   * nothing: the value is delivered. Callbacks run on the thread that sends.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the value, which every other subscriber gets too
   */
  public CompletableFuture<T> receiveAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  private CompletableFuture<T> request(long nanos) {
    SwitchPoints.reach(this);
    BroadcastRequests.AsyncReceive<T> request =
        new BroadcastRequests.AsyncReceive<>(
            queue, this, cursor, broadcast.capacity(), outcome -> outcome == REFUSED ? left() : broadcast.ended("receive"));
    if (nanos > 0) {
      return request.submitted(queue.submitReceive(request), nanos);
    }
    Object item = queue.pollItem(cursor);
    if (item == null) {
      return request.expireNow();
    }
    if (item == ENDED || item == LEFT) {
      return request.submitted(item == ENDED ? CLOSED : REFUSED, FOREVER);
    }
    if (item instanceof Lagged(long missed)) {
      request.missed(missed);
    } else {
      request.item(item);
    }
    return request.submitted(GRANTED, FOREVER);
  }

  /** The next item, or what the queue has to say instead; null if the time has passed. */
  private @Nullable Object take(boolean interruptible, long nanos) throws InterruptedException {
    Object item = queue.pollItem(cursor);
    if (item != null || nanos == 0) {
      return item;
    }
    BroadcastRequests.Receive request = new BroadcastRequests.Receive(cursor);
    int outcome = queue.submitReceive(request);
    if (outcome == WAITING) {
      outcome = queue.awaitDelivery(request, this, interruptible, nanos);
    }
    return switch (outcome) {
      case GRANTED -> request.outcomeItem();
      case INTERRUPTED -> throw new InterruptedException();
      case TIMED_OUT -> null;
      case REFUSED -> LEFT;
      default -> ENDED;
    };
  }

  private T value(Object item) {
    if (item instanceof Lagged(long missed)) {
      throw lagged(missed);
    }
    if (item == LEFT) {
      throw left();
    }
    if (item == ENDED) {
      throw ended();
    }
    return Channel.cast(item);
  }

  private Heard<T> heard(@Nullable Object item) {
    if (item == null) {
      return new Heard.Empty<>();
    }
    if (item instanceof Lagged(long missed)) {
      return new Heard.Lagged<>(missed);
    }
    if (item == LEFT) {
      return new Heard.Closed<>();
    }
    if (item == ENDED) {
      Throwable error = broadcast.error();
      return error == null ? new Heard.Closed<>() : new Heard.Failed<>(error);
    }
    return new Heard.Value<>(Channel.cast(item));
  }

  private static ChannelClosedException left() {
    return new ChannelClosedException("Cannot receive: the subscription is closed.");
  }

  // ---- all that comes ----

  /**
   * Receives until the end. Several iterators share the values. {@code hasNext} waits for the next value, which then belongs to the
   * iterator: one that is not used to the end may have taken a value that it never returned.
   *
   * <p>An interrupt ends the wait with {@link CancellationException}, and stays pending: iterators cannot throw {@code
   * InterruptedException}. A lag is not passed over in silence: {@code hasNext} throws {@link LaggedException}, and may then be
   * called again. If the broadcast has failed, it throws {@link ChannelFailedException} after the last value.
   */
  @Override
  public Iterator<T> iterator() {
    return new ValueIterator<>(
        this::nextOrNull, "The broadcast is closed and all was received, or the subscription is closed.");
  }

  /** {@return a stream of all that comes, received one by one, also if it is parallel; see {@link #iterator}} */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  /** {@return the values one by one; is never split; see {@link #iterator}} */
  @Override
  public Spliterator<T> spliterator() {
    return new OneByOne<>(iterator());
  }

  private @Nullable T nextOrNull() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    Object item = Objects.requireNonNull(take(true, FOREVER));
    return item == LEFT || (item == ENDED && broadcast.error() == null) ? null : value(item);
  }

  // ---- the end ----

  /**
   * Ends the subscription. What it has not received it never will; those who wait here get {@link ChannelClosedException}; those who
   * waited only for its room to send go on; and if nobody else is subscribed, they get {@link NoSubscriberException}. Closing again
   * does nothing.
   */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    queue.exit(cursor);
  }

  /** {@return whether this subscription was closed} Says nothing of the broadcast. */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return cursor.hasLeft();
  }

  /** {@return how many values were sent, and neither received here nor missed} */
  public int size() {
    SwitchPoints.reach(this);
    return queue.itemsBefore(cursor);
  }

  /** {@return how many wait to receive here} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waitingReceivers(cursor);
  }

  @Override
  public String toString() {
    String state = cursor.hasLeft() ? "closed" : queue.itemsBefore(cursor) + " unreceived";
    return "Subscription@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + " of " + broadcast + "]";
  }
}
