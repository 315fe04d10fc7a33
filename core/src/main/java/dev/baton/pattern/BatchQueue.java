// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.channel.Received;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Batch;
import dev.baton.internal.kernel.BatchBuffer;
import dev.baton.internal.kernel.BatchBuffer.Getter;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.select.Selectables;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import dev.baton.sync.ClosedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue from which several items can be got together, without being starved by those who get them one by one.
 *
 * {@snippet :
 * BatchQueue<String> lines = new BatchQueue<>();
 * lines.put("one");
 * lines.putAll(List.of("two", "three"));
 * List<String> two = lines.getMany(2); // waits until there are two
 * lines.close();
 * List<String> rest = lines.getMany(2); // what is left: fewer than two say that the queue is closed
 * }
 *
 * <p>With a condition variable this queue has every trouble there is: each put wakes all who wait, most of them for nothing
 * (<i>spurious wake-ups</i>); waking one instead may wake one whose items are not complete, beside another whose are
 * (<i>forgotten signals</i>, stranded items); one who wants many is emptied before by those who want few (<i>starvation</i>); and who
 * is cancelled waits for the next put to notice (<i>unresponsive cancellation</i>). Here those who wait stand in line with the number
 * they want, and a put hands over the items themselves: it wakes exactly those whom it makes whole.
 *
 * <p><b>Order.</b> Items come out in the order in which they were put, each to one getter; those of one {@link #putAll}, and those of
 * one {@link #getMany}, are next to each other. Those who wait are served strictly in the order in which they came: the first in line
 * keeps what is put until it has all it wants, so nobody can starve it, and one who wants little waits behind one who wants much.
 *
 * <p><b>Cancellation.</b> A wait that ends early has taken nothing, and the next in line is considered in the same step: what the
 * first was waiting for may be enough for it. Delivery wins: whoever was handed items before the interrupt was seen returns them, with
 * the interrupt pending.
 *
 * <p><b>The end.</b> After {@link #close} nothing can be put. What was put is still got, and nobody waits any more: {@link #getMany}
 * returns what is left if that is fewer than it wants, and then an empty list. Those who wait at that moment share what there is, in
 * order. {@link #closeAndDrain} takes what nobody will get.
 *
 * <p><b>Memory effects.</b> What was done before an item was put is seen by whoever gets it.
 *
 * <p><b>Cost.</b> A put never waits, and there is room without end: to limit it, let those who put hold a permit of a {@link
 * dev.baton.sync.Semaphore}, and those who get release it. A batch is copied once, into the list that is returned; room for it is made
 * before it is waited for, so nobody can wait for more than {@link #MAX_BATCH} items.
 *
 * @param <T> the type of the items; null is not one
 */
public final class BatchQueue<T> implements AutoCloseable {
  /** The most items that can be waited for together. More can be got if they are there, and what is left once the queue is closed. */
  public static final int MAX_BATCH = BatchBuffer.MOST_AWAITED;

  static {
    Selectables.batches(queue -> queue.buffer);
  }

  private final BatchBuffer buffer;

  /** Not volatile: whoever sees it sees all of it. */
  private @Nullable Probe probe;

  /** An empty queue. */
  public BatchQueue() {
    this(BatchQueue::forget);
  }

  /**
   * An empty queue for items that must not get lost: {@code undelivered} is called with each that was handed to one who waited and
   * could not take it, because its future was obtruded or its task was unwound. Ordinary cancellation loses nothing.
   *
   * @param undelivered called with each such item, once; must not wait
   */
  public BatchQueue(Consumer<? super T> undelivered) {
    Objects.requireNonNull(undelivered, "undelivered");
    buffer = new BatchBuffer(item -> undelivered.accept(cast(item)));
    Ledger.made(this);
  }

  private static void forget(Object undelivered) {
    // Nobody asked for it.
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   *
   * @param name what it is for, such as "lines"; other things may have the same name
   * @return this very queue
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public BatchQueue<T> named(String name) {
    probe = Probe.name(probe, "batchqueue", name, this, BatchQueue::usage);
    return this;
  }

  private Usage usage() {
    return new Usage(Usage.UNKNOWN, buffer.items(), buffer.waiting());
  }

  // ---- putting ----

  /**
   * Puts {@code item} at the end. Never waits.
   *
   * @param item what to put; null is refused
   * @throws ClosedException if the queue is closed; nothing was put
   */
  public void put(T item) {
    if (!tryPut(item)) {
      throw closedForPut();
    }
  }

  /**
   * Puts {@code item} at the end unless the queue is closed. Never waits.
   *
   * @param item what to put; null is refused
   * @return false if the queue is closed; the item was not put
   */
  public boolean tryPut(T item) {
    Objects.requireNonNull(item, "item");
    SwitchPoints.reach(this);
    return buffer.put(item);
  }

  /**
   * Puts {@code items} at the end, in order and with nothing between them. Never waits.
   *
   * @param items what to put, none of it null; nothing at all is nothing to do
   * @throws ClosedException if the queue is closed; nothing was put
   * @throws NullPointerException if one of them is null; nothing was put
   */
  public void putAll(Collection<? extends T> items) {
    Object[] all = items.toArray();
    for (Object item : all) {
      Objects.requireNonNull(item, "item");
    }
    SwitchPoints.reach(this);
    if (!buffer.putAll(all)) {
      throw closedForPut();
    }
  }

  // ---- getting one ----

  /**
   * Gets the next item, waiting for it if need be.
   *
   * @return the item, which nobody else gets
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws ClosedException if the queue is closed, and all that was put is gone
   */
  public T get() throws InterruptedException {
    Batch batch = new Batch(1);
    return one(batch, interruptibly(batch, FOREVER));
  }

  /**
   * Gets the next item, ignoring interrupts while waiting; one that came is pending again on return. See {@link #get}.
   *
   * @return the item, which nobody else gets
   */
  public T getUninterruptibly() {
    Batch batch = new Batch(1);
    return one(batch, uninterruptibly(batch));
  }

  /**
   * Gets the next item if there is one and nobody waits. Never blocks.
   *
   * @return the item, or why there is none
   */
  public Received<T> tryGet() {
    Batch batch = new Batch(1);
    return received(batch, now(batch));
  }

  /**
   * Gets the next item, waiting at most {@code timeout}: to the nanosecond; zero or less tries once; more than 292 years waits without
   * a deadline.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return {@link Received.Empty} if the time passed first; nothing was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   */
  public Received<T> tryGet(Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    Batch batch = new Batch(1);
    return received(batch, interruptibly(batch, nanos));
  }

  /**
   * Gets the next item and never blocks; cancelled in time, it has taken none. See {@link #getAsync(Duration)}.
   *
   * @return a future that ends with the item, or with what {@link #get} throws
   */
  public CompletableFuture<T> getAsync() {
    return request(new FutureItem(), FOREVER);
  }

  /**
   * Gets the next item, for at most {@code timeout}, and never blocks. The request stands in the same line as those who wait.
   *
   * <p>The future ends with the item; or with {@link TimeoutException} or {@link ClosedException}. Cancelling it before takes it out of
   * the line; cancelling it when an item is on its way does nothing: it is delivered.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the item, which nobody else gets
   */
  public CompletableFuture<T> getAsync(Duration timeout) {
    return request(new FutureItem(), Nanos.of(timeout));
  }

  // ---- getting several ----

  /**
   * Gets the next {@code n} items together, waiting until there are so many.
   *
   * @param n how many items to get, together; at least 1, and at most {@link #MAX_BATCH} if one has to wait
   * @return exactly {@code n} items, in order; fewer only if the queue is closed: those that were left, and none if all are gone.
   *     Cannot be changed
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws IllegalArgumentException if {@code n} is less than 1, or more than {@link #MAX_BATCH} and one would have to wait
   */
  public List<T> getMany(int n) throws InterruptedException {
    Batch batch = room(n);
    interruptibly(batch, FOREVER);
    return batch.as();
  }

  /**
   * Gets the next {@code n} items together, ignoring interrupts while waiting; one that came is pending again. See {@link #getMany}.
   *
   * @param n how many items to get, together; at least 1, and at most {@link #MAX_BATCH} if one has to wait
   * @return the items, as {@link #getMany} returns them
   */
  public List<T> getManyUninterruptibly(int n) {
    Batch batch = room(n);
    uninterruptibly(batch);
    return batch.as();
  }

  /**
   * Gets the next {@code n} items together if there are so many and nobody waits. Never blocks.
   *
   * @param n how many items to get, together; at least 1
   * @return the items as {@link #getMany} returns them; empty if one would have to wait
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public Optional<List<T>> tryGetMany(int n) {
    requireSome(n);
    SwitchPoints.reach(this);
    if (!buffer.maySettle(n)) {
      // Without making room for what is not there.
      return Optional.empty();
    }
    Batch batch = buffer.roomFor(n);
    Optional<List<T>> success = Optional.of(batch.as());
    return buffer.take(batch) == BatchBuffer.Take.NOT_YET ? Optional.empty() : success;
  }

  /**
   * Gets the next {@code n} items together, waiting at most {@code timeout}; see {@link #tryGet(Duration)}.
   *
   * @param n how many items to get, together; at least 1, and at most {@link #MAX_BATCH} if one has to wait
   * @param timeout how long to wait at most; zero or less tries once
   * @return the items as {@link #getMany} returns them; empty if the time passed first, and then nothing was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken
   * @throws IllegalArgumentException if {@code n} is less than 1, or more than {@link #MAX_BATCH} and one would have to wait
   */
  public Optional<List<T>> tryGetMany(int n, Duration timeout) throws InterruptedException {
    long nanos = Nanos.of(timeout);
    if (nanos == 0) {
      Interrupts.check();
      return tryGetMany(n);
    }
    Batch batch = room(n);
    Optional<List<T>> success = Optional.of(batch.as());
    return interruptibly(batch, nanos) == TIMED_OUT ? Optional.empty() : success;
  }

  /**
   * Gets the next {@code n} items together and never blocks; cancelled in time, it has taken none. See
   * {@link #getManyAsync(int, Duration)}.
   *
   * @param n how many items to get, together; at least 1, and at most {@link #MAX_BATCH} if one has to wait
   * @return a future that ends with the items, as {@link #getMany} returns them
   */
  public CompletableFuture<List<T>> getManyAsync(int n) {
    return request(new FutureItems(room(n)), FOREVER);
  }

  /**
   * Gets the next {@code n} items together, for at most {@code timeout}, and never blocks; see {@link #getAsync(Duration)}.
   *
   * <p>The future ends with the items as {@link #getMany} returns them, or with {@link TimeoutException}; cancelled in time, it has taken none.
   *
   * @param n how many items to get, together; at least 1, and at most {@link #MAX_BATCH} if one has to wait
   * @param timeout how long to wait at most; zero or less tries once
   * @return a future that ends with the items, or in time with {@link TimeoutException}
   * @throws IllegalArgumentException if {@code n} is less than 1, or more than {@link #MAX_BATCH} and one would have to wait
   */
  public CompletableFuture<List<T>> getManyAsync(int n, Duration timeout) {
    requireSome(n);
    long nanos = Nanos.of(timeout);
    if (nanos == 0 && !buffer.maySettle(n)) {
      // Without making room for what is not there.
      SwitchPoints.reach(this);
      return new FutureItems(room(1)).expireNow();
    }
    return request(new FutureItems(room(n)), nanos);
  }

  // ---- the end ----

  /**
   * Lets nothing more in. Those who wait get what there is, in order, each as many as it wants and the last of them fewer; those for
   * whom nothing is left get an empty list, or {@link ClosedException} if they wait for one item. Closing again does nothing.
   */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    buffer.close();
  }

  /**
   * Closes the queue, and takes what is left after those who wait have got theirs.
   *
   * @return what nobody will get any more, in order
   */
  public List<T> closeAndDrain() {
    close();
    Batch rest = new Batch(Math.max(buffer.items(), 1));
    now(rest);
    return rest.as();
  }

  /** {@return whether nothing can be put any more} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return buffer.isClosed();
  }

  /** {@return whether nothing can be put any more, and all that was put is gone} */
  public boolean isFinished() {
    SwitchPoints.reach(this);
    return buffer.isFinished();
  }

  // ---- looking ----

  /** {@return how many items were put and not got} */
  public int size() {
    SwitchPoints.reach(this);
    return buffer.items();
  }

  /** {@return how many wait for items} */
  public int waiting() {
    SwitchPoints.reach(this);
    return buffer.waiting();
  }

  @Override
  public String toString() {
    return "BatchQueue"
        + Probe.shown(probe)
        + "@"
        + Integer.toHexString(System.identityHashCode(this))
        + "["
        + buffer.items()
        + " stored"
        + (buffer.isClosed() ? ", closed" : "")
        + "]";
  }

  // ---- inside ----

  private Batch room(int n) {
    requireSome(n);
    return buffer.roomFor(n);
  }

  private static void requireSome(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("At least 1 item can be got, not " + n + ".");
    }
  }

  /** GRANTED, CLOSED, or TIMED_OUT if one would have to wait. */
  private int now(Batch batch) {
    SwitchPoints.reach(this);
    return outcome(buffer.take(batch));
  }

  private int interruptibly(Batch batch, long nanos) throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = take(batch, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome;
  }

  private int uninterruptibly(Batch batch) {
    SwitchPoints.reach(this);
    return take(batch, false, FOREVER);
  }

  private int take(Batch batch, boolean interruptible, long nanos) {
    int outcome = outcome(buffer.take(batch));
    if (outcome != TIMED_OUT || nanos == 0) {
      return outcome;
    }
    Waiting request = new Waiting(batch);
    outcome = buffer.submit(request);
    return outcome == WAITING ? buffer.awaitDelivery(request, this, interruptible, nanos) : outcome;
  }

  private static int outcome(BatchBuffer.Take take) {
    return switch (take) {
      case TAKEN -> GRANTED;
      case NOT_YET -> TIMED_OUT;
      case ENDED -> CLOSED;
    };
  }

  private T one(Batch batch, int outcome) {
    if (outcome != GRANTED) {
      throw drained();
    }
    return cast(batch.get(0));
  }

  private Received<T> received(Batch batch, int outcome) {
    return switch (outcome) {
      case GRANTED -> new Received.Value<>(cast(batch.get(0)));
      case TIMED_OUT -> new Received.Empty<>();
      default -> new Received.Closed<>();
    };
  }

  private <F> CompletableFuture<F> request(Asking<F> request, long nanos) {
    SwitchPoints.reach(this);
    if (nanos > 0) {
      return request.submitted(buffer.submit(request), nanos);
    }
    return switch (buffer.take(request.batch())) {
      case TAKEN -> request.submitted(GRANTED, FOREVER);
      case NOT_YET -> request.expireNow();
      case ENDED -> request.submitted(request.atTheEnd(), FOREVER);
    };
  }

  private static ClosedException closedForPut() {
    return new ClosedException("Cannot put: the queue is closed.");
  }

  private static ClosedException drained() {
    return new ClosedException("Cannot get: the queue is closed, and all that was put is gone.");
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only items of this type are put
  static <T> T cast(Object item) {
    return (T) item;
  }

  /** A task that waits. */
  private static final class Waiting extends Request implements Getter {
    private final Batch batch;

    Waiting(Batch batch) {
      super(0);
      this.batch = batch;
    }

    @Override
    public Batch batch() {
      return batch;
    }
  }

  /** A future that waits. */
  private abstract class Asking<F> extends AsyncRequest<F> implements Getter {
    private final Batch batch;

    Asking(Batch batch) {
      super(buffer, 0);
      this.batch = batch;
    }

    @Override
    public final Batch batch() {
      return batch;
    }

    @Override
    protected final Object primitive() {
      return BatchQueue.this;
    }

    @Override
    protected final boolean deliveryWins() {
      return true;
    }

    @Override
    protected final void giveBack() {
      // Delivery wins, unless the future was obtruded: then nobody gets the items.
      buffer.leave(this);
    }

    @Override
    protected final TimeoutException timeout() {
      return new TimeoutException("There were not enough items in time; nothing was taken.");
    }
  }

  private final class FutureItem extends Asking<T> {
    FutureItem() {
      super(new Batch(1));
    }

    @Override
    protected T value() {
      return cast(batch().get(0));
    }

    @Override
    protected Exception failure(int outcome) {
      return drained();
    }
  }

  private final class FutureItems extends Asking<List<T>> {
    FutureItems(Batch batch) {
      super(batch);
    }

    @Override
    public int atTheEnd() {
      return GRANTED;
    }

    @Override
    protected List<T> value() {
      return batch().as();
    }

    @Override
    protected Exception failure(int outcome) {
      return drained();
    }
  }
}
