// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.OneByOne;
import dev.baton.internal.kernel.TransferQueue;
import dev.baton.internal.kernel.TransferQueue.End;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands values from those who send to those who receive, in order, each to exactly one.
 *
 * {@snippet :
 * Channel<String> jobs = Channel.buffered(16);
 * Scope.run(scope -> {
 *   scope.fork(() -> {
 *     for (String job : List.of("wash", "dry", "fold")) {
 *       jobs.send(job);
 *     }
 *     jobs.close();
 *     return null;
 *   });
 *   jobs.forEach(job -> System.out.println("doing " + job));
 *   scope.join();
 * });
 * }
 *
 * <p><b>Order.</b> Values are received in the order in which they were sent; those who wait are served in the order in which they
 * came, and nobody overtakes them.
 *
 * <p><b>Cancellation.</b> A send that ends early has not sent; a receive that ends early has taken nothing. Delivery wins: whoever
 * was handed a value, or whose value was taken, before the interrupt was seen returns normally, with the interrupt pending.
 *
 * <p><b>The end.</b> After {@link #close} nothing can be sent; what was sent is received, then comes the end. {@link #fail} is the
 * same with an error. Those who wait to send have not sent, and are told.
 *
 * <p><b>Memory effects.</b> What was done before a send is seen by whoever receives the value. With a rendezvous, what was done
 * before the receive is seen after the send.
 *
 * @param <T> the type of the values; null is not one
 */
public final class Channel<T> implements AutoCloseable, Iterable<T> {
  private final TransferQueue queue;
  private final int capacity;
  private final boolean conflated;

  /** Not volatile: whoever sees it sees all of it. */
  private @Nullable Probe probe;

  private Channel(int capacity, boolean conflated, Consumer<? super T> undelivered) {
    this.capacity = capacity;
    this.conflated = conflated;
    this.queue = new TransferQueue(capacity, conflated, item -> undelivered.accept(cast(item)));
    Ledger.made(this);
  }

  /**
   * Without a buffer: a send waits until its value is received.
   *
   * @param <T> the type of the values; null is not one
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> rendezvous() {
    return rendezvous(Channel::forget);
  }

  /**
   * Without a buffer; see {@link #buffered(int, Consumer)} for {@code undelivered}.
   *
   * @param <T> the type of the values; null is not one
   * @param undelivered called with each such value, once, with no lock held; must not wait
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> rendezvous(Consumer<? super T> undelivered) {
    return new Channel<>(0, false, Objects.requireNonNull(undelivered, "undelivered"));
  }

  /**
   * With a buffer: a send waits only while {@code capacity} values have not been received.
   *
   * @param <T> the type of the values; null is not one
   * @param capacity how many values there is room for; at least 1
   * @return a channel that is empty and open
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   */
  public static <T> Channel<T> buffered(int capacity) {
    return buffered(capacity, Channel::forget);
  }

  /**
   * With a buffer, for values that must not get lost: {@code undelivered} is called with each value that was sent and that nobody
   * will receive, because it was discarded or replaced. A value that could not be sent stays with its sender, who is told.
   *
   * @param <T> the type of the values; null is not one
   * @param capacity how many values there is room for; at least 1
   * @param undelivered called with each such value, once, with no lock held; must not wait
   * @return a channel that is empty and open
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   */
  public static <T> Channel<T> buffered(int capacity, Consumer<? super T> undelivered) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "A buffer has room for at least 1 value, not " + capacity + ": use Channel.rendezvous() for none.");
    }
    return new Channel<>(capacity, false, Objects.requireNonNull(undelivered, "undelivered"));
  }

  /**
   * With room without end: a send never waits.
   *
   * @param <T> the type of the values; null is not one
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> unlimited() {
    return unlimited(Channel::forget);
  }

  /**
   * With room without end; see {@link #buffered(int, Consumer)} for {@code undelivered}.
   *
   * @param <T> the type of the values; null is not one
   * @param undelivered called with each such value, once, with no lock held; must not wait
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> unlimited(Consumer<? super T> undelivered) {
    return new Channel<>(TransferQueue.UNLIMITED, false, Objects.requireNonNull(undelivered, "undelivered"));
  }

  /**
   * Keeps only the latest value: a send never waits, and replaces a value that nobody has received.
   *
   * @param <T> the type of the values; null is not one
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> conflated() {
    return conflated(Channel::forget);
  }

  /**
   * Keeps only the latest value; {@code undelivered} gets those that were replaced.
   *
   * @param <T> the type of the values; null is not one
   * @param undelivered called with each such value, once, with no lock held; must not wait
   * @return a channel that is empty and open
   */
  public static <T> Channel<T> conflated(Consumer<? super T> undelivered) {
    return new Channel<>(1, true, Objects.requireNonNull(undelivered, "undelivered"));
  }

  private static void forget(Object undelivered) {
    // Nobody asked for it.
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "jobs"; other things may have the same name
   * @return this very channel
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public Channel<T> named(String name) {
    probe = Probe.name(probe, "channel", name, this, Channel::usage);
    return this;
  }

  private Usage usage() {
    int stored = queue.items();
    return new Usage(
        capacity == TransferQueue.UNLIMITED ? Usage.UNKNOWN : Math.max(0, capacity - stored),
        stored,
        queue.waitingSenders() + queue.waitingReceivers());
  }

  // ---- sending ----

  /**
   * Sends {@code value}, waiting if need be until there is room, or somebody receives it.
   *
   * @param value what to send; null is refused
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was sent
   * @throws ChannelClosedException if the channel is closed before; nothing was sent
   * @throws ChannelFailedException if the channel has failed before; nothing was sent
   */
  public void send(T value) throws InterruptedException {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = queue.offerPatiently(value);
    if (outcome == WAITING) {
      outcome = awaitSend(value, true, FOREVER);
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome != GRANTED) {
      throw ended("send");
    }
  }

  /**
   * Sends {@code value}, ignoring interrupts while waiting; one that came is pending again on return. See {@link #send}.
   *
   * @param value what to send; null is refused
   */
  public void sendUninterruptibly(T value) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    int outcome = queue.offer(value);
    if (outcome == WAITING) {
      outcome = awaitSend(value, false, FOREVER);
    }
    if (outcome != GRANTED) {
      throw ended("send");
    }
  }

  /**
   * Sends {@code value} if there is room, or somebody waits for it. Never blocks.
   *
   * @param value what to send; null is refused
   * @return {@link Sent.Ok}, or why the value was not sent
   */
  public Sent<T> trySend(T value) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    return sent(queue.offer(value), value);
  }

  /**
   * Sends {@code value}, waiting at most {@code timeout}: zero or less tries once.
   *
   * @param value what to send; null is refused
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Sent.Full} if the time passed first; nothing was sent
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was sent
   */
  public Sent<T> trySend(T value, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(value, "value");
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = queue.offer(value);
    if (outcome == WAITING && nanos > 0) {
      outcome = awaitSend(value, true, nanos);
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return sent(outcome, value);
  }

  /**
   * Sends {@code value} and never blocks; cancelled in time, it has not sent. See {@link #sendAsync(Object, Duration)}.
   *
   * @param value what to send; null is refused
   * @return a future that ends with null once the value was sent, or with what {@link #send} throws
   */
  public CompletableFuture<Void> sendAsync(T value) {
    return requestSend(value, FOREVER);
  }

  /**
   * Sends {@code value}, for at most {@code timeout}, and never blocks. The request stands in the same line as those who wait.
   *
   * <p>The future ends once the value was sent; or with {@link TimeoutException}, {@link ChannelClosedException} or {@link
   * ChannelFailedException}, and then it was not. Cancelling it before withdraws the value.
   *
   * @param value what to send; null is refused
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with null once the value was sent
   */
  public CompletableFuture<Void> sendAsync(T value, Duration timeout) {
    return requestSend(value, Nanos.of(timeout));
  }

  private CompletableFuture<Void> requestSend(T value, long nanos) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    Transfers.AsyncSend request = new Transfers.AsyncSend(queue, this, value, outcome -> ended("send"));
    if (nanos > 0) {
      return request.submitted(queue.submitSend(request), nanos);
    }
    int outcome = queue.offer(value);
    return outcome == WAITING ? request.expireNow() : request.submitted(outcome, FOREVER);
  }

  private int awaitSend(T value, boolean interruptible, long nanos) {
    Transfers.Send request = new Transfers.Send(value);
    int outcome = queue.submitSend(request);
    return outcome == WAITING ? queue.awaitDelivery(request, this, interruptible, nanos) : outcome;
  }

  private Sent<T> sent(int outcome, T value) {
    return switch (outcome) {
      case GRANTED -> new Sent.Ok<>();
      case CLOSED -> {
        Throwable error = error();
        yield error == null ? new Sent.Closed<>(value) : new Sent.Failed<>(value, error);
      }
      default -> new Sent.Full<>(value);
    };
  }

  // ---- receiving ----

  /**
   * Receives the next value, waiting for it if need be.
   *
   * @return the value, which nobody else gets
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws ChannelClosedException if the channel is closed, and all that was sent has been received
   * @throws ChannelFailedException if the channel has failed, and all that was sent before has been received
   */
  public T receive() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    Object item = queue.pollPatiently();
    if (item == null) {
      item = awaitItem(true, FOREVER);
    }
    if (item == null) {
      throw new InterruptedException();
    }
    if (item == TransferQueue.ENDED) {
      throw ended("receive");
    }
    return cast(item);
  }

  /**
   * Receives the next value, ignoring interrupts while waiting; one that came is pending again on return. See {@link #receive}.
   *
   * @return the value, which nobody else gets
   */
  public T receiveUninterruptibly() {
    SwitchPoints.reach(this);
    Object item = queue.pollItem();
    if (item == null) {
      item = awaitItem(false, FOREVER);
    }
    if (item == null || item == TransferQueue.ENDED) {
      throw ended("receive");
    }
    return cast(item);
  }

  /**
   * Receives the next value if there is one. Never blocks.
   *
   * @return the value, or why there is none
   */
  public Received<T> tryReceive() {
    SwitchPoints.reach(this);
    Object item = queue.pollItem();
    return item == null ? new Received.Empty<>() : received(item);
  }

  /**
   * Receives the next value, waiting at most {@code timeout}: zero or less tries once.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Received.Empty} if the time passed first; nothing was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   */
  public Received<T> tryReceive(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    Object item = queue.pollItem();
    if (item == null && nanos > 0) {
      Transfers.Receive request = new Transfers.Receive();
      int outcome = queue.submitReceive(request);
      if (outcome == WAITING) {
        outcome = queue.awaitDelivery(request, this, true, nanos);
      }
      if (outcome == INTERRUPTED) {
        throw new InterruptedException();
      }
      item = outcome == GRANTED ? request.item() : outcome == TIMED_OUT ? null : TransferQueue.ENDED;
    }
    return item == null ? new Received.Empty<>() : received(item);
  }

  /**
   * Receives the next value and never blocks; cancelled in time, it has taken none. See {@link #receiveAsync(Duration)}.
   *
   * @return a future that ends with the value, or with what {@link #receive} throws
   */
  public CompletableFuture<T> receiveAsync() {
    return requestReceive(FOREVER);
  }

  /**
   * Receives the next value, for at most {@code timeout}, and never blocks. The request stands in the same line as those who wait.
   *
   * <p>The future ends with the value; or with {@link TimeoutException}, {@link ChannelClosedException} or {@link
   * ChannelFailedException}. Cancelling it before takes it out of the line; cancelling it when a value is on its way does nothing:
   * the value is delivered.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the value, which nobody else gets
   */
  public CompletableFuture<T> receiveAsync(Duration timeout) {
    return requestReceive(Nanos.of(timeout));
  }

  private CompletableFuture<T> requestReceive(long nanos) {
    SwitchPoints.reach(this);
    Transfers.AsyncReceive<T> request = new Transfers.AsyncReceive<>(queue, this, outcome -> ended("receive"));
    if (nanos > 0) {
      return request.submitted(queue.submitReceive(request), nanos);
    }
    Object item = queue.pollItem();
    if (item == null) {
      return request.expireNow();
    }
    if (item == TransferQueue.ENDED) {
      return request.submitted(CLOSED, FOREVER);
    }
    request.item(item);
    return request.submitted(GRANTED, FOREVER);
  }

  /**
   * Receives up to {@code most} values: waits for the first if need be, and takes those that are there, or come meanwhile.
   *
   * @param most how many to take at most; at least 1
   * @return the values, in order; empty only if the channel is closed and drained
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws ChannelFailedException if the channel has failed, and all that was sent before has been received
   * @throws IllegalArgumentException if {@code most} is less than 1
   */
  public List<T> receiveMany(int most) throws InterruptedException {
    if (most < 1) {
      throw new IllegalArgumentException("At least 1 value can be received, not " + most + ".");
    }
    SwitchPoints.reach(this);
    Interrupts.check();
    // Before anything is taken: between that and its delivery nothing may fail.
    ArrayList<Object> items = new ArrayList<>(Math.min(most, Math.max(queue.items(), 1)));
    Object first = queue.pollItem();
    if (first == null) {
      first = awaitItem(true, FOREVER);
    }
    if (first == null) {
      throw new InterruptedException();
    }
    if (first == TransferQueue.ENDED) {
      requireNotFailed();
    } else {
      items.add(first);
      drain(items, most);
    }
    return Collections.unmodifiableList(cast(items));
  }

  /** Receives what is there, in order, until {@code items} has {@code most}. */
  @SuppressWarnings("NonApiType") // a List does not make room beforehand
  private void drain(ArrayList<Object> items, int most) {
    while (items.size() < most) {
      try {
        items.ensureCapacity(items.size() + 1);
      } catch (OutOfMemoryError full) {
        return;
      }
      Object item = queue.pollItem();
      if (item == null || item == TransferQueue.ENDED) {
        return;
      }
      items.add(item);
    }
  }

  /** The next value; ENDED; or null if interrupted first. */
  private @Nullable Object awaitItem(boolean interruptible, long nanos) {
    Transfers.Receive request = new Transfers.Receive();
    int outcome = queue.submitReceive(request);
    if (outcome == WAITING) {
      outcome = queue.awaitDelivery(request, this, interruptible, nanos);
    }
    return outcome == GRANTED ? request.item() : outcome == INTERRUPTED ? null : TransferQueue.ENDED;
  }

  private Received<T> received(Object item) {
    if (item != TransferQueue.ENDED) {
      return new Received.Value<>(cast(item));
    }
    Throwable error = error();
    return error == null ? new Received.Closed<>() : new Received.Failed<>(error);
  }

  // ---- all that comes ----

  /** Receives until the end, and hands each value to {@code action}; see {@link #iterator}. */
  @Override
  public void forEach(Consumer<? super T> action) {
    Iterable.super.forEach(action);
  }

  /**
   * Receives until the end. Several iterators share the values. {@code hasNext} waits for the next value, which then belongs to the
   * iterator: one that is not used to the end may have taken a value that it never returned.
   *
   * <p>An interrupt ends the wait with {@link CancellationException}, and stays pending: iterators cannot throw {@code
   * InterruptedException}. If the channel has failed, the iterator throws {@link ChannelFailedException} after the last value.
   */
  @Override
  public Iterator<T> iterator() {
    return new ValueIterator<>(this::nextOrNull, "The channel is closed and drained.");
  }

  private @Nullable T nextOrNull() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    Object item = queue.pollItem();
    if (item == null) {
      item = awaitItem(true, FOREVER);
    }
    if (item == null) {
      throw new InterruptedException();
    }
    if (item == TransferQueue.ENDED) {
      requireNotFailed();
      return null;
    }
    return cast(item);
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

  // ---- the end ----

  /**
   * Lets nothing more in. What was sent is still received; then comes the end. Those who wait to send have not sent, and get {@link
   * ChannelClosedException}. Closing again does nothing.
   */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    queue.end(new End(null));
  }

  /**
   * Like {@link #close}, with an error: after what was sent, those who receive get {@link ChannelFailedException}.
   *
   * @param error what those who receive get as the cause
   * @return false if the channel had ended before; nothing changes
   */
  public boolean fail(Throwable error) {
    Objects.requireNonNull(error, "error");
    SwitchPoints.reach(this);
    return queue.end(new End(error));
  }

  /** Closes the channel, and throws away what nobody has received; the hook for undelivered values gets it. */
  public void discard() {
    close();
    queue.discard();
  }

  /** {@return whether nothing can be sent any more} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return queue.end() != null;
  }

  /** {@return whether nothing can be sent any more, and all has been received} */
  public boolean isFinished() {
    SwitchPoints.reach(this);
    return queue.isFinished();
  }

  // ---- looking ----

  /** {@return how many values were sent and not received} */
  public int size() {
    SwitchPoints.reach(this);
    return queue.items();
  }

  /** {@return how many values there is room for; {@link Integer#MAX_VALUE} if unlimited} */
  public int capacity() {
    return capacity;
  }

  /** {@return how many wait to send} */
  public int waitingSenders() {
    SwitchPoints.reach(this);
    return queue.waitingSenders();
  }

  /** {@return how many wait to receive} */
  public int waitingReceivers() {
    SwitchPoints.reach(this);
    return queue.waitingReceivers();
  }

  @Override
  public String toString() {
    String kind =
        conflated
            ? "conflated"
            : capacity == 0 ? "rendezvous" : capacity == TransferQueue.UNLIMITED ? "unlimited" : "buffered " + capacity;
    End end = queue.end();
    String state = end == null ? "" : end.error() == null ? ", closed" : ", failed";
    String name = "Channel" + Probe.shown(probe) + "@" + Integer.toHexString(System.identityHashCode(this));
    return name + "[" + kind + ", " + queue.items() + " stored" + state + "]";
  }

  // ---- inside ----

  TransferQueue queue() {
    return queue;
  }

  private @Nullable Throwable error() {
    End end = queue.end();
    return end == null ? null : end.error();
  }

  void requireNotFailed() {
    Throwable error = error();
    if (error != null) {
      throw new ChannelFailedException(error);
    }
  }

  IllegalStateException ended(String verb) {
    Throwable error = error();
    return error != null
        ? new ChannelFailedException(error)
        : new ChannelClosedException("Cannot " + verb + ": the channel is closed" + (verb.equals("send") ? "." : " and drained."));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only values of this type are sent
  static <T> T cast(Object item) {
    return (T) item;
  }
}
