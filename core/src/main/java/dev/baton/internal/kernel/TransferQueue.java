// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Items on their way from those who send to those who receive, and both of these while they wait.
 *
 * <p>Held under the lock, and true whenever it is free:
 *
 * <ul>
 *   <li>If a receiver waits, there is no item, and no sender it could take one from.
 *   <li>If a sender waits, there is no room.
 *   <li>Items leave in the order in which they came; a sender that waits comes after all items that are stored.
 *   <li>Once ended, nobody waits.
 * </ul>
 *
 * <p>The receivers stand in the inherited line, the senders in one of their own. Both are there at once only if one of them is a
 * selection that cannot be served by the other: itself.
 */
public final class TransferQueue extends TwoLineQueue {
  /** Room without end. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** What {@link #pollItem} returns if there is nothing, and nothing will come. */
  public static final Object ENDED = new Object();

  /** Not an outcome: the ring has to grow first. */
  private static final int CRAMPED = -3;

  /** What is stored; null if nothing ever is. */
  private final @Nullable Ring ring;

  /** Whether a new item takes the place of an old one that nobody has received. */
  private final boolean replacing;

  private final Consumer<Object> undelivered;

  /** The item that another one has just replaced. Guarded by the lock. */
  private @Nullable Object replaced;

  /** Why it has ended, or null if it has not. Written once, under the lock. */
  private volatile @Nullable End end;

  /** The end: with an error, or without. */
  public record End(@Nullable Throwable error) {}

  /** A request to send or to receive. */
  public interface Transfer {

    /** Whether it sends. */
    boolean sends();

    /** The selection it is one request of, if it is. */
    default @Nullable Selection selection() {
      return null;
    }
  }

  /**
   * A queue for {@code capacity} items; if {@code replacing}, a new one replaces the last when there is no room. {@code
   * undelivered} gets each item that was accepted and that nobody will receive; it is foreign code.
   */
  public TransferQueue(int capacity, boolean replacing, Consumer<Object> undelivered) {
    this.ring = capacity == 0 ? null : new Ring(capacity);
    this.replacing = replacing;
    this.undelivered = undelivered;
  }

  // ---- without waiting ----

  /**
   * Sends {@code item} if somebody receives it or there is room.
   *
   * @return GRANTED, CLOSED, or WAITING if one would have to wait
   */
  public int offer(Object item) {
    if (ring == null) {
      if (first() == null && end == null) {
        return WAITING;
      }
    } else if (!replacing && ring.putQuickly(item)) {
      return GRANTED;
    } else if (!replacing && ring.isFullNow() && end == null) {
      // A look from outside, as in pollItem.
      return WAITING;
    }
    lock();
    int outcome = offerNow(item);
    while (outcome == CRAMPED) {
      growOutside();
      outcome = offerNow(item);
    }
    unlockAndTell();
    return outcome;
  }

  /** Receives an item if there is one; ENDED if none will come; otherwise null. */
  public @Nullable Object pollItem() {
    if (ring == null) {
      if (firstSender() == null && end == null) {
        return null;
      }
    } else {
      Object item = ring.takeQuickly();
      if (item != null) {
        return item;
      }
      if (ring.isEmpty() && end == null) {
        // A look from outside: whoever polls in a loop must not keep the lock from those who send.
        return null;
      }
    }
    lock();
    Object item = pollNow();
    unlockAndWake();
    return item;
  }

  // ---- waiting ----

  /** Like {@link #offer}, but if there is no room looks for some a little longer before one has to wait. */
  public int offerPatiently(Object item) {
    int outcome = offer(item);
    return outcome == WAITING && ring != null && firstSender() == null && ring.awaitRoom() ? offer(item) : outcome;
  }

  /** Like {@link #pollItem}, but if there is none looks for one a little longer before one has to wait. */
  public @Nullable Object pollPatiently() {
    Object item = pollItem();
    return item == null && ring != null && first() == null && ring.awaitItems() ? pollItem() : item;
  }

  /**
   * Sends what {@code request} has, or lets it wait.
   *
   * @return GRANTED, CLOSED, or WAITING if it stands in line now (or has just been decided)
   */
  public <R extends Request & Transfer> int submitSend(R request) {
    lock();
    int outcome = offerNow(request.item());
    while (outcome == CRAMPED) {
      growOutside();
      outcome = offerNow(request.item());
    }
    if (outcome == WAITING) {
      enqueueSender(request);
    }
    unlockAndTell();
    return outcome;
  }

  /** Gives {@code request} an item, or lets it wait; see {@link #submitSend}. */
  public <R extends Request & Transfer> int submitReceive(R request) {
    lock();
    Object item = pollNow();
    int outcome = item == null ? WAITING : item == ENDED ? CLOSED : GRANTED;
    if (outcome == WAITING) {
      enqueueReceiver(request);
    } else if (outcome == GRANTED) {
      request.item(Objects.requireNonNull(item));
    }
    unlockAndWake();
    return outcome;
  }

  private void enqueueSender(Request request) {
    prepare(request, firstSender() == null);
    appendSender(request);
  }

  private void enqueueReceiver(Request request) {
    prepare(request, first() == null);
    append(request);
  }

  /** {@code request} is about to stand in line. Where there is a ring it has been patient before, unless it is one of several. */
  private void prepare(Request request, boolean isFirst) {
    request.queued = true;
    boolean selected = request instanceof SelectRequest;
    if (isFirst && (ring == null || selected)) {
      request.markFirst();
    }
    if (!selected) {
      request.announceSleep();
    }
  }

  // ---- as one of several ----

  /** Lets a request of a selection, which others may claim at any time, be served or wait. */
  public <R extends SelectRequest & Transfer> void submit(R request) {
    lock();
    while (request.sends() && isCramped()) {
      growOutside();
    }
    if (!request.selection().isClaimed()) {
      if (end != null && (request.sends() || isEmpty())) {
        drop(request);
      } else if (request.sends()) {
        if (!sendSelected(request)) {
          enqueueSender(request);
        }
      } else if (!receiveSelected(request)) {
        enqueueReceiver(request);
      }
    }
    unlockAndTell();
  }

  /** True: it was served, or is dead. */
  private <R extends SelectRequest & Transfer> boolean sendSelected(R request) {
    Selection mine = request.selection();
    Request after;
    for (Request receiver = first(); receiver != null; receiver = after) {
      after = receiver.next;
      switch (pair(mine, receiver)) {
        case BOTH -> {
          remove(receiver);
          give(receiver, request.item());
          decide(request, GRANTED);
          return true;
        }
        case FIRST_IS_DEAD -> {
          return true;
        }
        case SECOND_IS_DEAD -> {
          // Dead, or itself: then it stays.
          if (((Transfer) receiver).selection() != mine) {
            unlink(receiver);
          }
        }
      }
    }
    if (hasRoom()) {
      if (request.claim()) {
        store(request.item());
        decide(request, GRANTED);
      }
      return true;
    }
    return false;
  }

  /** True: it was served, or is dead. */
  private <R extends SelectRequest & Transfer> boolean receiveSelected(R request) {
    if (!isEmpty()) {
      if (request.claim()) {
        request.item(take());
        decide(request, GRANTED);
      }
      return true;
    }
    Selection mine = request.selection();
    Request after;
    for (Request sender = firstSender(); sender != null; sender = after) {
      after = sender.next;
      switch (pair(mine, sender)) {
        case BOTH -> {
          removeSender(sender);
          request.item(sender.item());
          decide(sender, GRANTED);
          decide(request, GRANTED);
          return true;
        }
        case FIRST_IS_DEAD -> {
          return true;
        }
        case SECOND_IS_DEAD -> {
          if (((Transfer) sender).selection() != mine) {
            unlink(sender);
          }
        }
      }
    }
    return false;
  }

  /** Claims a selection and whoever waits on the other side. A selection does not meet itself. */
  private static Selection.Pair pair(Selection mine, Request other) {
    Selection theirs = ((Transfer) other).selection();
    if (theirs == mine) {
      return Selection.Pair.SECOND_IS_DEAD;
    }
    if (theirs == null) {
      return mine.claim() ? Selection.Pair.BOTH : Selection.Pair.FIRST_IS_DEAD;
    }
    return Selection.claimBoth(mine, theirs);
  }

  // ---- the end ----

  /** Ends it: what is stored can still be received; those who wait do so no more. False: it has ended before. */
  public boolean end(End how) {
    lock();
    if (end != null) {
      unlock();
      return false;
    }
    end = how;
    for (Request sender = pollSender(); sender != null; sender = pollSender()) {
      leaveAndDrop(sender);
    }
    if (isEmpty()) {
      for (Request receiver = poll(); receiver != null; receiver = poll()) {
        leaveAndDrop(receiver);
      }
    }
    unlockAndWake();
    return true;
  }

  /** Takes out what is stored; nobody will receive it. Only once ended. An error of the hook skips nothing and surfaces once. */
  public void discard() {
    Throwable failure = null;
    for (Object item = pollItem(); item != null && item != ENDED; item = pollItem()) {
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

  private void leaveAndDrop(Request request) {
    request.queued = false;
    drop(request);
  }

  /** Tells a request that it has ended. A selection goes on without it as long as it has others, but not after an error. */
  private void drop(Request request) {
    boolean failed = Objects.requireNonNull(end).error() != null;
    boolean selected = ((Transfer) request).selection() != null;
    if (!selected || !failed) {
      decide(request, CLOSED);
    } else if (request.claim()) {
      decide(request, REFUSED);
    }
  }

  /** How it ended, or null if it has not. */
  public @Nullable End end() {
    return end;
  }

  /** Whether it has ended and nothing is left in it. */
  public boolean isFinished() {
    return end != null && isEmpty();
  }

  // ---- looking ----

  /** How many items are stored. */
  public int items() {
    return ring == null ? 0 : ring.size();
  }

  /** How many wait to receive. */
  public int waitingReceivers() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }

  /** How many wait to send. */
  public int waitingSenders() {
    lock();
    int waiting = senders();
    unlock();
    return waiting;
  }

  // ---- under the lock ----

  /** Ends the critical section; then wakes those who were decided, and hands over what was replaced. */
  private void unlockAndTell() {
    Object old = replaced;
    if (old == null) {
      unlockAndWake();
      return;
    }
    replaced = null;
    try {
      unlockAndWake();
    } finally {
      undelivered.accept(old);
    }
  }

  private int offerNow(Object item) {
    if (end != null) {
      return CLOSED;
    }
    for (Request receiver = poll(); receiver != null; receiver = poll()) {
      if (receiver.claim()) {
        give(receiver, item);
        return GRANTED;
      }
      receiver.queued = false;
    }
    if (isCramped()) {
      return CRAMPED;
    }
    if (hasRoom()) {
      store(item);
      return GRANTED;
    }
    return WAITING;
  }

  private @Nullable Object pollNow() {
    if (!isEmpty()) {
      return take();
    }
    Request sender = claimSender();
    if (sender != null) {
      decide(sender, GRANTED);
      return sender.item();
    }
    return end == null ? null : ENDED;
  }

  /** The sender that has waited longest, claimed and taken out of its line. */
  private @Nullable Request claimSender() {
    for (Request sender = pollSender(); sender != null; sender = pollSender()) {
      if (sender.claim()) {
        return sender;
      }
      sender.queued = false;
    }
    return null;
  }

  private void give(Request receiver, Object item) {
    receiver.item(item);
    decide(receiver, GRANTED);
  }

  /** What was received cannot go back: others may have received what came after it. */
  @Override
  protected void giveUp(Request request) {
    if (request.outcome() == GRANTED && !((Transfer) request).sends()) {
      undelivered.accept(request.item());
    }
  }

  @Override
  protected void unlink(Request request) {
    if (((Transfer) request).sends()) {
      removeSender(request);
      request.queued = false;
    } else {
      super.unlink(request);
    }
  }

  private boolean isEmpty() {
    return ring == null || ring.isEmpty();
  }

  private boolean hasRoom() {
    return ring != null && (replacing || !ring.isFull());
  }

  private void store(Object item) {
    Ring stored = Objects.requireNonNull(ring);
    if (stored.isFull()) {
      replaced = stored.replaceLast(item);
    } else {
      stored.put(item);
    }
  }

  /** The first item; the sender that has waited longest stores its own in the room that this leaves. */
  private Object take() {
    Ring stored = Objects.requireNonNull(ring);
    Request sender = claimSender();
    if (sender == null) {
      return Objects.requireNonNull(stored.take());
    }
    Object item = stored.exchange(sender.item());
    decide(sender, GRANTED);
    return item;
  }

  /** Whether there is room by right, but not in the ring. */
  private boolean isCramped() {
    return ring != null && ring.isCramped();
  }

  private void growOutside() {
    Ring cramped = Objects.requireNonNull(ring);
    openEnds(cramped);
    cramped.growOutside();
  }

  // Whoever stores or takes an item and wakes nobody needs one end of the ring; all else excludes both.

  @Override
  protected void lock() {
    if (ring == null) {
      super.lock();
    } else {
      ring.lock();
    }
  }

  @Override
  protected void unlock() {
    if (ring == null) {
      super.unlock();
    } else {
      openEnds(ring);
      ring.unlock();
    }
  }

  private void openEnds(Ring ring) {
    boolean toTake = firstSender() == null;
    ring.open(toTake && first() == null && end == null, toTake);
  }
}
