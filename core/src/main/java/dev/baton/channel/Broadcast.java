// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.BroadcastQueue;
import dev.baton.internal.kernel.BroadcastQueue.End;
import dev.baton.internal.kernel.BroadcastQueue.Slot;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each value to all who are subscribed.
 *
 * {@snippet :
 * Broadcast<String> news = Broadcast.buffered(16);
 * try (Subscription<String> ann = news.subscribe();
 *     Subscription<String> bob = news.subscribe()) {
 *   int receivers = news.send("hello"); // 2
 *   String heard = ann.receive(); // hello
 *   String too = bob.receive(); // hello
 * }
 * }
 *
 * <p><b>Two kinds.</b> {@linkplain #lagging Lagging}: a send never waits; a subscriber that is too far behind misses the oldest
 * values, and is told how many. {@linkplain #buffered Buffered}: nobody misses anything; a send waits for the slowest subscriber.
 *
 * <p><b>Order.</b> Each subscriber receives what was sent after it subscribed, in the order in which it was sent. Sends that wait
 * go on in the order in which they came, and nobody overtakes them.
 *
 * <p><b>Cancellation.</b> A send that ends early has sent to nobody; a receive that ends early has taken nothing. Delivery wins:
 * whoever was handed a value, or whose value was sent, before the interrupt was seen returns normally, with the interrupt pending.
 *
 * <p><b>The end.</b> After {@link #close} nothing can be sent; each subscriber receives what it has not, then comes the end.
 * {@link #fail} is the same with an error. Those who wait to send have not sent, and are told.
 *
 * <p><b>Memory effects.</b> What was done before a send is seen by whoever receives the value.
 *
 * <p><b>Cost.</b> Each value is stored once, however many are subscribed, and dropped when the last of them has received it. A
 * send takes time for those subscribers that wait for it, and none for the others.
 *
 * @param <T> the type of the values; null is not one
 */
public final class Broadcast<T> implements AutoCloseable {
  private final BroadcastQueue queue;
  private final int capacity;
  private final boolean lagging;

  /** Not volatile: whoever sees it sees all of it. */
  private @Nullable Probe probe;

  private Broadcast(int capacity, boolean lagging) {
    if (capacity < 1) {
      throw new IllegalArgumentException("A broadcast has room for at least 1 value, not " + capacity + ".");
    }
    this.capacity = capacity;
    this.lagging = lagging;
    this.queue = new BroadcastQueue(capacity, lagging);
    Ledger.made(this);
  }

  /**
   * Where a send never waits: a subscriber that has {@code capacity} values unreceived when another is sent misses the oldest, and
   * is told how many it has missed.
   *
   * @param <T> the type of the values; null is not one
   * @param capacity how many values may be unreceived; at least 1
   * @return a broadcast to which nobody is subscribed
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   */
  public static <T> Broadcast<T> lagging(int capacity) {
    return new Broadcast<>(capacity, true);
  }

  /**
   * Where nothing is missed: a send waits while the slowest subscriber has {@code capacity} values unreceived.
   *
   * @param <T> the type of the values; null is not one
   * @param capacity how many values may be unreceived; at least 1
   * @return a broadcast to which nobody is subscribed
   * @throws IllegalArgumentException if {@code capacity} is less than 1
   */
  public static <T> Broadcast<T> buffered(int capacity) {
    return new Broadcast<>(capacity, false);
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   * What is waited for at one of its subscriptions counts as its own.
   *
   * @param name what it is for, such as "news"; other things may have the same name
   * @return this very broadcast
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public Broadcast<T> named(String name) {
    probe = Probe.name(probe, "broadcast", name, this, Broadcast::usage);
    return this;
  }

  private Usage usage() {
    int stored = queue.items();
    return new Usage(Math.max(0, capacity - stored), stored, queue.waitingSenders() + queue.waitingReceivers());
  }

  /**
   * {@return a new subscriber, which receives what is sent from now on} Close it when it is not needed any more: a
   * buffered broadcast waits for every subscriber there is.
   *
   * @throws ChannelClosedException if the broadcast is closed: nothing would ever come
   * @throws ChannelFailedException if the broadcast has failed
   */
  public Subscription<T> subscribe() {
    SwitchPoints.reach(this);
    Subscription<T> subscription = new Subscription<>(this, queue);
    if (!queue.enter(subscription.cursor())) {
      throw ended("subscribe");
    }
    return subscription;
  }

  // ---- sending ----

  /**
   * Sends {@code value} to all who are subscribed. Waits, if the broadcast is buffered, until the slowest has room.
   *
   * @param value what to send; null is refused
   * @return how many receive it, at least 1
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was sent
   * @throws NoSubscriberException if nobody is subscribed, or nobody any more; nothing was sent, and the exception has the value
   * @throws ChannelClosedException if the broadcast is closed before; nothing was sent
   * @throws ChannelFailedException if the broadcast has failed before; nothing was sent
   */
  public int send(T value) throws InterruptedException {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    Interrupts.check();
    Slot slot = new Slot();
    int outcome = send(value, slot, true, FOREVER);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return receivers(outcome, value, slot);
  }

  /**
   * Sends {@code value}, ignoring interrupts while waiting; one that came is pending again on return. See {@link #send}.
   *
   * @param value what to send; null is refused
   * @return how many receive it, at least 1
   */
  public int sendUninterruptibly(T value) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    Slot slot = new Slot();
    return receivers(send(value, slot, false, FOREVER), value, slot);
  }

  /**
   * Sends {@code value} if somebody is subscribed and there is room, which a lagging broadcast always has. Never blocks.
   *
   * @param value what to send; null is refused
   * @return {@link Published.Ok}, or why the value was not sent
   */
  public Published<T> trySend(T value) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    Slot slot = new Slot();
    return published(queue.offer(value, slot), value, slot);
  }

  /**
   * Sends {@code value}, waiting at most {@code timeout}: zero or less tries once.
   *
   * @param value what to send; null is refused
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Published.Full} if the time passed first; nothing was sent
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was sent
   */
  public Published<T> trySend(T value, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(value, "value");
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    Slot slot = new Slot();
    int outcome = send(value, slot, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return published(outcome, value, slot);
  }

  /**
   * Sends {@code value} and never blocks; cancelled in time, it has not sent. See {@link #sendAsync(Object, Duration)}.
   *
   * @param value what to send; null is refused
   * @return a future that ends with the number of receivers, or with what {@link #send} throws
   */
  public CompletableFuture<Integer> sendAsync(T value) {
    return request(value, FOREVER);
  }

  /**
   * Sends {@code value}, for at most {@code timeout}, and never blocks. The request stands in the same line as those who wait.
   *
   * <p>The future ends with the number of receivers once the value was sent; or with {@link TimeoutException}, {@link
   * NoSubscriberException}, {@link ChannelClosedException} or {@link ChannelFailedException}, and then it was not. Cancelling it
   * before withdraws the value; cancelling it when the value was sent does nothing. Callbacks run on the thread that makes room.
   *
   * @param value what to send; null is refused
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the number of receivers, at least 1
   */
  public CompletableFuture<Integer> sendAsync(T value, Duration timeout) {
    return request(value, Nanos.of(timeout));
  }

  private CompletableFuture<Integer> request(T value, long nanos) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    BroadcastRequests.AsyncSend request =
        new BroadcastRequests.AsyncSend(queue, this, value, outcome -> ended("send"));
    if (nanos > 0) {
      return request.submitted(queue.submitSend(request), nanos);
    }
    int outcome = queue.offer(value, request.slot());
    return outcome == WAITING ? request.expireNow() : request.submitted(outcome, FOREVER);
  }

  private int send(T value, Slot slot, boolean interruptible, long nanos) {
    int outcome = queue.offer(value, slot);
    if (outcome != WAITING || nanos == 0) {
      return outcome;
    }
    BroadcastRequests.Send request = new BroadcastRequests.Send(value, slot);
    outcome = queue.submitSend(request);
    return outcome == WAITING ? queue.awaitDelivery(request, this, interruptible, nanos) : outcome;
  }

  private int receivers(int outcome, T value, Slot slot) {
    if (outcome != GRANTED) {
      throw notSent(outcome, value);
    }
    return slot.receivers();
  }

  private Published<T> published(int outcome, T value, Slot slot) {
    return switch (outcome) {
      case GRANTED -> new Published.Ok<>(slot.receivers());
      case REFUSED -> new Published.NoSubscriber<>(value);
      case CLOSED -> {
        Throwable error = error();
        yield error == null ? new Published.Closed<>(value) : new Published.Failed<>(value, error);
      }
      default -> new Published.Full<>(value);
    };
  }

  private IllegalStateException notSent(int outcome, T value) {
    return outcome == REFUSED ? new NoSubscriberException(value) : ended("send");
  }

  // ---- the end ----

  /**
   * Lets nothing more in. Each subscriber still receives what was sent; then comes the end. Those who wait to send have not sent,
   * and get {@link ChannelClosedException}. Closing again does nothing.
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
   * @return false if the broadcast had ended before; nothing changes
   */
  public boolean fail(Throwable error) {
    Objects.requireNonNull(error, "error");
    SwitchPoints.reach(this);
    return queue.end(new End(error));
  }

  /** {@return whether nothing can be sent any more} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return queue.end() != null;
  }

  // ---- looking ----

  /** {@return how many are subscribed} */
  public int subscribers() {
    SwitchPoints.reach(this);
    return queue.cursors();
  }

  /** {@return how many values at least one subscriber has not received, and has not missed} */
  public int size() {
    SwitchPoints.reach(this);
    return queue.items();
  }

  /** {@return how many values there is room for} */
  public int capacity() {
    return capacity;
  }

  /** {@return how many wait to send} */
  public int waitingSenders() {
    SwitchPoints.reach(this);
    return queue.waitingSenders();
  }

  /** {@return how many wait to receive, at all subscriptions together} */
  public int waitingReceivers() {
    SwitchPoints.reach(this);
    return queue.waitingReceivers();
  }

  @Override
  public String toString() {
    End end = queue.end();
    return "Broadcast"
        + Probe.shown(probe)
        + "@"
        + Integer.toHexString(System.identityHashCode(this))
        + (lagging ? "[lagging " : "[buffered ")
        + capacity
        + ", "
        + queue.cursors()
        + " subscribed, "
        + queue.items()
        + " stored"
        + (end == null ? "" : end.error() == null ? ", closed" : ", failed")
        + "]";
  }

  // ---- inside ----

  @Nullable Throwable error() {
    End end = queue.end();
    return end == null ? null : end.error();
  }

  IllegalStateException ended(String verb) {
    Throwable error = error();
    return error != null
        ? new ChannelFailedException(error)
        : new ChannelClosedException(
            "Cannot " + verb + ": the broadcast is closed" + (verb.equals("receive") ? ", and all was received." : "."));
  }
}
