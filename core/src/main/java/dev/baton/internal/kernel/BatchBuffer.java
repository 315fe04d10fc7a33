// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Items that were put and not taken, and those who wait for some number of them.
 *
 * <p>Held under the lock, and true whenever it is free:
 *
 * <ul>
 *   <li>If somebody waits, there are fewer items than the first in line wants.
 *   <li>Items leave in the order in which they came.
 *   <li>Once closed, nobody waits.
 * </ul>
 *
 * <p>Whoever changes the items or the line serves from the front, as long as the whole of what the first wants is there. So a put
 * wakes only whom it makes whole, and nobody in vain.
 */
public final class BatchBuffer extends WaitQueue {
  private static final int SMALLEST = 8;

  /** The most that anybody can wait for: room for them is made beforehand, and should not be what the memory ends with. */
  public static final int MOST_AWAITED = 1 << 20;

  /** An array of twice as many cannot be made. */
  private static final int LARGEST = 1 << 30;

  private static final VarHandle COUNT = Fields.find(MethodHandles.lookup(), "count", int.class);

  /** Gets each item that was taken for somebody who has gone; it is foreign code. */
  private final Consumer<Object> undelivered;

  // Guarded by the lock.

  private @Nullable Object[] ring = new Object[SMALLEST];
  private int head;

  /** Written under the lock, without a fence: whoever takes the lock next sees it, and others only look. */
  private int count;

  /** Written once, under the lock. */
  private volatile boolean closed;

  /** Somebody who wants items. */
  public interface Getter {

    /** Room for as many as it wants, all of them. */
    Batch batch();

    /** What it is told if it is closed and nothing is left: CLOSED, or GRANTED if no items will do. */
    default int atTheEnd() {
      return CLOSED;
    }
  }

  /** What became of an attempt to take items. */
  public enum Take {
    /** As many as were wanted; or if closed, those that were left, which are some. */
    TAKEN,
    /** There are not so many, or somebody waits for them. */
    NOT_YET,
    /** There are none, and none will come. */
    ENDED
  }

  /** Empty. */
  public BatchBuffer(Consumer<Object> undelivered) {
    this.undelivered = undelivered;
  }

  // ---- putting ----

  /** Puts {@code item}. False: closed. */
  public boolean put(Object item) {
    lock();
    while (!closed && count == ring.length) {
      growOutside(1);
    }
    boolean open = !closed;
    if (open) {
      ring[(head + count) & (ring.length - 1)] = item;
      COUNT.setOpaque(this, count + 1);
      reconsider();
    }
    unlockAndWake();
    return open;
  }

  /** Puts {@code items}, in order and with no other between them. False: closed, and none was put. */
  public boolean putAll(Object[] items) {
    lock();
    while (!closed && ring.length - count < items.length) {
      growOutside(items.length);
    }
    boolean open = !closed;
    if (open) {
      int from = (head + count) & (ring.length - 1);
      int atEnd = Math.min(items.length, ring.length - from);
      System.arraycopy(items, 0, ring, from, atEnd);
      System.arraycopy(items, atEnd, ring, 0, items.length - atEnd);
      COUNT.setOpaque(this, count + items.length);
      reconsider();
    }
    unlockAndWake();
    return open;
  }

  // ---- taking ----

  /**
   * Room for {@code wanted} items; once closed, when none are added any more, for no more than there are.
   *
   * @throws IllegalArgumentException if so many are not there, and are more than anybody can wait for
   */
  public Batch roomFor(int wanted) {
    if (closed) {
      return new Batch(Math.min(wanted, Math.max(items(), 1)));
    }
    if (wanted > MOST_AWAITED && wanted > items()) {
      throw new IllegalArgumentException(
          "Nobody can wait for " + wanted + " items together, since room for all of them is made before: expected at most "
              + MOST_AWAITED + ". Get several smaller batches.");
    }
    return new Batch(wanted);
  }

  /** A look from outside: false if {@code wanted} items are most likely not there, and it is not closed. */
  public boolean maySettle(int wanted) {
    return items() >= wanted || closed;
  }

  /** Fills {@code batch} if nobody waits and there is enough for it, or it is closed. */
  public Take take(Batch batch) {
    lock();
    Take result = takeNow(batch);
    unlock();
    return result;
  }

  private Take takeNow(Batch batch) {
    // While somebody waits there may be enough for one who wants less: that would be overtaking.
    if (first() == null && fits(batch)) {
      fill(batch);
      return Take.TAKEN;
    }
    return closed ? Take.ENDED : Take.NOT_YET;
  }

  /**
   * Fills the batch of {@code request}, or lets it wait.
   *
   * @return GRANTED, CLOSED (or what it wants to be told at the end), or WAITING if it stands in line now
   */
  public <R extends Request & Getter> int submit(R request) {
    lock();
    Take result = takeNow(request.batch());
    if (result == Take.NOT_YET) {
      enqueue(request);
    }
    unlock();
    return switch (result) {
      case TAKEN -> GRANTED;
      case NOT_YET -> WAITING;
      case ENDED -> request.atTheEnd();
    };
  }

  /** Lets a request of a selection, which others may claim at any time, be served or wait. */
  public <R extends SelectRequest & Getter> void submitSelected(R request) {
    lock();
    if (!request.selection().isClaimed()) {
      enqueue(request);
      serve();
    }
    unlockAndWake();
  }

  private boolean fits(Batch batch) {
    return count >= batch.room.length || (closed && count > 0);
  }

  private void fill(Batch batch) {
    int n = Math.min(batch.room.length, count);
    int atEnd = Math.min(n, ring.length - head);
    System.arraycopy(ring, head, batch.room, 0, atEnd);
    System.arraycopy(ring, 0, batch.room, atEnd, n - atEnd);
    Arrays.fill(ring, head, head + atEnd, null);
    Arrays.fill(ring, 0, n - atEnd, null);
    head = (head + n) & (ring.length - 1);
    COUNT.setOpaque(this, count - n);
    batch.size = n;
  }

  // ---- the end of every critical section that changes items or line ----

  @Override
  protected void reconsider() {
    serve();
  }

  /** Serves from the front while the whole of what the first wants is there; once closed, what there is, and then the end. */
  private void serve() {
    for (Request request = first(); request != null; request = first()) {
      Batch batch = ((Getter) request).batch();
      boolean fits = fits(batch);
      if (!fits && !closed) {
        return;
      }
      poll();
      if (!fits) {
        // A selection goes on without it as long as it has others: it is not claimed for that.
        request.queued = false;
        decide(request, ((Getter) request).atTheEnd());
      } else if (request.claim()) {
        fill(batch);
        decide(request, GRANTED);
      } else {
        request.queued = false;
      }
    }
  }

  /** What was taken cannot go back: others may have taken what came after it. */
  @Override
  protected void giveUp(Request request) {
    if (request.outcome() == GRANTED) {
      discard(((Getter) request).batch());
    }
  }

  private void discard(Batch batch) {
    Throwable failure = null;
    for (Object item : batch) {
      try {
        undelivered.accept(item);
      } catch (Throwable t) {
        failure = Failures.join(failure, t);
      }
    }
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  // ---- the end ----

  /** Lets nothing more in. Those who wait get what there is, in order, and those for whom nothing is left are told. */
  public void close() {
    lock();
    closed = true;
    serve();
    unlockAndWake();
  }

  /** Whether {@link #close} has been called. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether it is closed and empty. */
  public boolean isFinished() {
    return closed && items() == 0;
  }

  // ---- looking ----

  /** How many items were put and not taken. */
  public int items() {
    return (int) COUNT.getOpaque(this);
  }

  /** How many wait. */
  public int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }

  /** Makes the ring larger. Leaves the critical section meanwhile: nothing is allocated under the lock. */
  private void growOutside(int more) {
    int length = ring.length;
    long needed = (long) count + more;
    unlock();
    if (needed > LARGEST) {
      throw new OutOfMemoryError("A queue has room for at most 2^30 items.");
    }
    int larger = Math.max(length * 2, Integer.highestOneBit((int) needed - 1) << 1);
    @Nullable Object[] newRing = new Object[larger];
    lock();
    if (ring.length < larger) {
      for (int i = 0; i < count; i++) {
        newRing[i] = Objects.requireNonNull(ring[(head + i) & (ring.length - 1)]);
      }
      ring = newRing;
      head = 0;
    }
  }
}
