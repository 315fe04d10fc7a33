// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.channel.Channel;
import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.ChannelFailedException;
import dev.baton.channel.Clause;
import dev.baton.channel.Received;
import dev.baton.channel.Select;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.OneByOne;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A task that makes values for a consumer, one after the other: either side may stop early, and nothing is left behind.
 *
 * {@snippet :
 * try (Producer<Integer> numbers = Producer.of(sink -> {
 *   for (int i = 0; ; i++) {
 *     sink.send(i);
 *   }
 * })) {
 *   for (int number : numbers) {
 *     if (number == 3) {
 *       break;
 *     }
 *   }
 * } // the task has ended
 * }
 *
 * <p><b>What it avoids.</b> A producer that waits for ever to send because its consumer has returned early. {@link #close} interrupts it and
 * waits for its end; and as it runs in a {@link Scope} of its own, inside that of the one who made it, the end of that one, in whichever
 * way, ends it too. So does whatever cancels the consumer: its block is left, and with it the producer's.
 *
 * <p><b>Pace.</b> The producer is started at once, and is ahead by at most the value it offers and those that the buffer holds: none with
 * {@link #of}.
 *
 * <p><b>The end.</b> When the task returns, the consumer gets what was sent, then the end. When it throws, the consumer gets what was sent,
 * then {@link ChannelFailedException} with that error as its cause. An error that comes after {@link #close} does not count.
 *
 * <p><b>Cancellation.</b> A receive that is cut short has taken nothing. Delivery wins: whoever was handed a value before the interrupt
 * was seen gets it, with the interrupt pending.
 *
 * <p><b>Threads.</b> The task runs on a virtual thread with the {@link dev.baton.scope.ContextCarrier contexts} of the one who made the
 * producer. Any thread may receive; several share the values. Only the one who made it may close it, before the scopes around it. As with
 * those, closing one ends also what the same task has made after it and not closed: close the last first, as try-with-resources does.
 *
 * <p><b>Memory effects.</b> What was done before a send is seen by whoever receives the value.
 *
 * @param <T> the type of the values; null is not one
 */
public final class Producer<T> implements Iterable<T>, AutoCloseable {
  private final Channel<T> channel;
  private final Scope scope;
  private final Task<@Nullable Void> task;
  private final long ownerId = Hosts.currentTaskId();
  private volatile @Nullable Throwable failure;
  private volatile boolean closing;
  private volatile boolean closed;

  private Producer(Channel<T> channel, Body<T> body) {
    this.channel = channel;
    this.scope = Scope.open();
    this.task = start(body);
  }

  private Task<@Nullable Void> start(Body<T> body) {
    Task<@Nullable Void> forked = null;
    try {
      forked = scope.tryFork(() -> produce(body)).orElseThrow();
      return forked;
    } finally {
      if (forked == null) {
        scope.close();
      }
    }
  }

  private void produce(Body<T> body) {
    try {
      body.run(channel::send);
      channel.close();
    } catch (Throwable thrown) {
      if (closing) {
        channel.close();
      } else {
        failure = thrown;
        channel.fail(thrown);
      }
    }
  }

  /**
   * What makes the values.
   *
   * @param <T> the type of the values
   */
  @FunctionalInterface
  public interface Body<T> {

    /**
     * Makes values and sends them.
     *
     * @param sink where the values go
     * @throws Exception what the consumer gets after the values that were sent before
     */
    void run(Sink<T> sink) throws Exception;
  }

  /**
   * Where a producer sends to.
   *
   * @param <T> the type of the values
   */
  @FunctionalInterface
  public interface Sink<T> {

    /**
     * Sends {@code value}, waiting until there is room in the buffer, or, if there is no buffer, until it is received.
     *
     * @param value the next value; null is not one
     * @throws InterruptedException if the producer is being closed; nothing was sent
     */
    void send(T value) throws InterruptedException;

    /**
     * Sends all of {@code values}, in order, by {@link #send}; interrupted, it has sent those before the one that it was at.
     *
     * @param values what to send, asked for one by one as there is room
     * @throws InterruptedException if the producer is being closed, or was interrupted otherwise; the value at hand was not
     *     sent
     */
    default void sendAll(Iterable<? extends T> values) throws InterruptedException {
      for (T value : values) {
        send(value);
      }
    }
  }

  /**
   * Starts {@code body}, which is never ahead of its consumer by more than the value it offers. Close it: by try-with-resources.
   *
   * @param <T> the type of the values
   * @param body what makes the values, in a task of its own
   * @return the producer, whose body has been started
   */
  public static <T> Producer<T> of(Body<T> body) {
    Objects.requireNonNull(body, "body");
    return new Producer<>(Channel.rendezvous(), body);
  }

  /**
   * Starts {@code body}, which may be ahead of its consumer by {@code size} values. Close it: by try-with-resources.
   *
   * @param <T> the type of the values
   * @param size by how many values {@code body} may be ahead
   * @param body what makes the values, in a task of its own
   * @return the producer, whose body has been started
   * @throws IllegalArgumentException if {@code size} is less than 1; nothing was started
   */
  public static <T> Producer<T> buffered(int size, Body<T> body) {
    Objects.requireNonNull(body, "body");
    return new Producer<>(Channel.buffered(size), body);
  }

  // ---- receiving ----

  /**
   * Receives the next value, waiting for it if need be.
   *
   * @return the value, which nobody else gets
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws ChannelClosedException if there is no further value: the task has returned, or was closed
   * @throws ChannelFailedException if the task has failed, and all that it sent before has been received
   */
  public T receive() throws InterruptedException {
    try {
      return channel.receive();
    } catch (ChannelFailedException failed) {
      if (cutShort()) {
        throw new InterruptedException();
      }
      throw failed;
    }
  }

  /**
   * Whether the task has ended because the scope around it was stopped, for which the caller was interrupted first; that is then taken
   * away. What it was stopped for says more than that it was.
   */
  private boolean cutShort() {
    return failure instanceof InterruptedException && Thread.interrupted();
  }

  /**
   * Receives the next value if there is one. Never blocks.
   *
   * @return the value, or why there is none
   */
  public Received<T> tryReceive() {
    return channel.tryReceive();
  }

  /**
   * Receives the next value, waiting at most {@code timeout}: zero or less tries once.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Received.Empty} if the time passed first; nothing was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   */
  public Received<T> tryReceive(Duration timeout) throws InterruptedException {
    return channel.tryReceive(timeout);
  }

  /**
   * Receives up to {@code most} values: waits for the first, and takes those that are there; interrupted in time, none. See
   * {@link Channel#receiveMany}.
   *
   * @param most how many to take at most; at least 1
   * @return the values, in order; empty only if the task has ended and all that it sent has been received
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   */
  public List<T> receiveMany(int most) throws InterruptedException {
    try {
      return channel.receiveMany(most);
    } catch (ChannelFailedException failed) {
      if (cutShort()) {
        throw new InterruptedException();
      }
      throw failed;
    }
  }

  /**
   * Receives the next value and never blocks; cancelled in time, it has taken none. See {@link Channel#receiveAsync(Duration)}.
   *
   * @return a future that ends with the value, or with what {@link #receive} throws
   */
  public CompletableFuture<T> receiveAsync() {
    return channel.receiveAsync();
  }

  /**
   * Receives the next value, for at most {@code timeout}, and never blocks; cancelled in time, it has taken none. See
   * {@link Channel#receiveAsync(Duration)}.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the value, with what {@link #receive} throws, or with {@link
   *     java.util.concurrent.TimeoutException}
   */
  public CompletableFuture<T> receiveAsync(Duration timeout) {
    return channel.receiveAsync(timeout);
  }

  /**
   * Receives the next value in a {@link Select}.
   *
   * @param <R> what the select returns
   * @param action what to do with the value, once it is received
   * @return a clause to give to a select, as often as one likes
   */
  public <R extends @Nullable Object> Clause<R> onReceive(Function<? super T, ? extends R> action) {
    return Select.receive(channel, action);
  }

  /**
   * Receives until the end; see {@link Channel#iterator}. An interrupt ends the wait with {@link CancellationException}, and stays
   * pending: iterators cannot throw {@code InterruptedException}.
   */
  @Override
  public Iterator<T> iterator() {
    return new Values(channel.iterator());
  }

  /** {@return the values one by one; is never split; see {@link #iterator}} */
  @Override
  public Spliterator<T> spliterator() {
    return new OneByOne<>(iterator());
  }

  /** {@return a stream of all that comes, received one by one, also if it is parallel} Closing the stream closes the producer. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  /** As those of the channel, but a producer that was cut short together with its consumer has not failed. */
  private final class Values implements Iterator<T> {
    private final Iterator<T> values;

    Values(Iterator<T> values) {
      this.values = values;
    }

    @Override
    public boolean hasNext() {
      try {
        return values.hasNext();
      } catch (ChannelFailedException failed) {
        if (!cutShort()) {
          throw failed;
        }
        Thread.currentThread().interrupt();
        CancellationException cancelled = new CancellationException("Interrupted while waiting for the next value.");
        cancelled.initCause(failed);
        throw cancelled;
      }
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("The producer has ended.");
      }
      return values.next();
    }
  }

  // ---- the end ----

  /**
   * Interrupts the task, if it has not ended, and waits, ignoring interrupts, until it has; values that nobody has received are dropped.
   * Closing again does nothing.
   *
   * @throws WrongThreadException if the caller did not make this producer; nothing changes
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (Hosts.currentTaskId() != ownerId) {
      throw new WrongThreadException("Only the thread that made " + this + " may close it.");
    }
    closing = true;
    task.cancel();
    try {
      scope.close();
    } catch (DeadlineExceededException passed) {
      // It was inherited: the scope that it is the deadline of says so.
    } finally {
      closed = true;
      channel.discard();
    }
  }

  /** {@return what the task has failed with, if it has; known before the values sent until then are received} */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** {@return whether the task has ended and all that it sent has been received} */
  public boolean isFinished() {
    return channel.isFinished();
  }

  @Override
  public String toString() {
    String state = closed ? "closed" : channel.isClosed() ? "ended" : "producing";
    return "Producer@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }
}
