// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Items that each of several cursors passes, in order.
 *
 * <pre>
 *   head                          tail
 *    ▼                             ▼
 *   [item]──▶[item]──▶[item]──▶[empty]        each slot counts the cursors that stand at it
 *     ▲ 1               ▲ 2       ▲ 1
 * </pre>
 *
 * <p>Held under the lock, and true whenever it is free:
 *
 * <ul>
 *   <li>A cursor stands at the head, or there is no item: what all have passed is not kept.
 *   <li>Not more than {@code capacity} items are stored.
 *   <li>If a receiver waits at a cursor, that cursor stands at the tail, and it has not ended.
 *   <li>If a sender waits, there is no room, and it has not ended.
 * </ul>
 *
 * <p>The senders stand in the inherited line, the receivers in that of their cursor.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
public final class BroadcastQueue extends WaitQueue {
  /** What {@link #pollItem} returns if nothing will come any more. */
  public static final Object ENDED = new Object();

  /** What {@link #pollItem} returns if the cursor has left. */
  public static final Object LEFT = new Object();

  private final int capacity;

  /** Whether the oldest item makes room for a new one, however many cursors have not passed it. */
  private final boolean lagging;

  // Guarded by the lock.

  private Slot head = new Slot();
  private Slot tail = head;

  /** The cursors at which somebody waits, in the order in which they came to be so. */
  private @Nullable Cursor firstAwaited;

  private @Nullable Cursor lastAwaited;
  private int waitingReceivers;

  // Written under the lock.

  /** How many items were ever sent: the position of the tail. */
  private volatile long sent;

  private volatile int stored;
  private volatile int cursors;
  private volatile @Nullable End end;

  /** The end: with an error, or without. */
  public record End(@Nullable Throwable error) {}

  /** What {@link #pollItem} returns once if the cursor has been overtaken: how many items it has missed. */
  public record Lagged(long missed) {}

  /** Room for one item. Whoever sends brings an empty one, so that nothing is allocated under the lock. */
  public static final class Slot {
    // Guarded by the lock.
    private @Nullable Object item;
    private @Nullable Slot next;
    private int cursors;

    /** Written under the lock, when the send that brought it is granted. */
    private int receivers;

    /** An empty slot. */
    public Slot() {}

    /** How many receive the item of the send that brought it, once granted. */
    public int receivers() {
      return receivers;
    }
  }

  /** A place in the row of items. */
  public static final class Cursor {
    // Guarded by the lock.
    private final RequestList receivers = new RequestList();
    private @Nullable Cursor previousAwaited;
    private @Nullable Cursor nextAwaited;

    /** The next item's, or one that is gone if the cursor has been overtaken. Null: it has not been placed, or has left. */
    private @Nullable Slot slot;

    // Written under the lock.

    /** How many items were sent before the next one. */
    private volatile long position;

    private volatile boolean left;

    /** A cursor that stands nowhere so far. */
    public Cursor() {}

    /** Whether it has left. */
    public boolean hasLeft() {
      return left;
    }
  }

  /** A request to send. */
  public interface Sending {

    /** The slot it brings. */
    Slot slot();
  }

  /** A request to receive. */
  public interface Receiving {

    /** Where it receives. */
    Cursor cursor();

    /** Tells it instead of an item how many items were missed. Called under the lock, before it is granted. */
    void missed(long items);
  }

  /** A queue that stores up to {@code capacity} items; then the oldest is dropped if {@code lagging}, otherwise senders wait. */
  public BroadcastQueue(int capacity, boolean lagging) {
    this.capacity = capacity;
    this.lagging = lagging;
  }

  // ---- cursors ----

  /** Places a new cursor at the tail. False: it has ended; nothing changes. */
  public boolean enter(Cursor cursor) {
    lock();
    boolean open = end == null;
    if (open) {
      cursor.slot = tail;
      cursor.position = sent;
      tail.cursors++;
      cursors = cursors + 1;
    }
    unlock();
    return open;
  }

  /** Takes a cursor out: those who wait there do so no more, and what it alone has not passed makes room. Again: nothing. */
  public void exit(Cursor cursor) {
    lock();
    if (!cursor.left) {
      catchUp(cursor);
      at(cursor).cursors--;
      cursor.slot = null;
      cursor.left = true;
      cursors = cursors - 1;
      refuseReceivers(cursor, REFUSED);
      trim();
      if (cursors == 0) {
        refuseSenders(REFUSED);
      } else {
        letSendersGo();
      }
    }
    unlockAndWake();
  }

  // ---- sending ----

  /**
   * Sends {@code item} if there is room and a cursor.
   *
   * @return GRANTED, CLOSED if it has ended, REFUSED if there is no cursor, or WAITING if one would have to wait
   */
  public int offer(Object item, Slot fresh) {
    lock();
    int outcome = offerNow(item, fresh);
    unlockAndWake();
    return outcome;
  }

  /** Sends what {@code request} has, or lets it wait: as {@link #offer}, but WAITING says that it stands in line. */
  public <R extends Request & Sending> int submitSend(R request) {
    lock();
    int outcome = offerNow(request.item(), request.slot());
    if (outcome == WAITING) {
      enqueue(request);
    }
    unlockAndWake();
    return outcome;
  }

  private int offerNow(Object item, Slot fresh) {
    if (end != null) {
      return CLOSED;
    }
    if (cursors == 0) {
      return REFUSED;
    }
    if (stored == capacity) {
      if (!lagging) {
        return WAITING;
      }
      dropOldest();
    }
    store(item, fresh);
    return GRANTED;
  }

  // ---- receiving ----

  /** The next item of {@code cursor}; Lagged, once, if some were missed; ENDED; LEFT; or null if there is nothing yet. */
  public @Nullable Object pollItem(Cursor cursor) {
    // A look from outside: whoever polls in a loop must not keep the lock from those who send. The position is read first and
    // never passes the tail, so that if both are the same there was nothing when the latter was read.
    if (cursor.position == sent && end == null && !cursor.left) {
      return null;
    }
    lock();
    long missed = cursor.left ? 0 : catchUp(cursor);
    Object item = missed > 0 ? null : pollNow(cursor);
    unlockAndWake();
    return missed > 0 ? new Lagged(missed) : item;
  }

  /**
   * Gives {@code request} what {@link #pollItem} would, or lets it wait.
   *
   * @return GRANTED, CLOSED if nothing will come, REFUSED if the cursor has left, or WAITING if it stands in line now
   */
  public <R extends Request & Receiving> int submitReceive(R request) {
    Cursor cursor = request.cursor();
    lock();
    int outcome = GRANTED;
    long missed = cursor.left ? 0 : catchUp(cursor);
    if (missed > 0) {
      request.missed(missed);
    } else {
      Object item = pollNow(cursor);
      if (item == null) {
        outcome = WAITING;
        enqueueReceiver(cursor, request);
      } else if (item == ENDED || item == LEFT) {
        outcome = item == ENDED ? CLOSED : REFUSED;
      } else {
        request.item(item);
      }
    }
    unlockAndWake();
    return outcome;
  }

  /** Lets a request of a selection, which others may claim at any time, be served or wait. */
  public <R extends SelectRequest & Receiving> void submitSelected(R request) {
    Cursor cursor = request.cursor();
    lock();
    if (!request.selection().isClaimed()) {
      if (cursor.left) {
        refuse(request, REFUSED);
      } else if (cursor.position < sent) {
        // Claimed before the cursor moves: one that was served elsewhere passes nothing, and is told of no lag.
        if (request.claim()) {
          long missed = catchUp(cursor);
          if (missed > 0) {
            request.missed(missed);
          } else {
            request.item(Objects.requireNonNull(pollNow(cursor)));
          }
          decide(request, GRANTED);
        }
      } else if (end != null) {
        refuse(request, CLOSED);
      } else {
        enqueueReceiver(cursor, request);
      }
    }
    unlockAndWake();
  }

  private @Nullable Object pollNow(Cursor cursor) {
    if (cursor.left) {
      return LEFT;
    }
    Slot slot = at(cursor);
    if (slot == tail) {
      return end == null ? null : ENDED;
    }
    Object item = slot.item;
    advance(cursor);
    trim();
    letSendersGo();
    return item;
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
    refuseSenders(CLOSED);
    for (Cursor cursor = firstAwaited; cursor != null; cursor = firstAwaited) {
      refuseReceivers(cursor, CLOSED);
    }
    unlockAndWake();
    return true;
  }

  /** How it ended, or null if it has not. */
  public @Nullable End end() {
    return end;
  }

  // ---- looking ----

  /** How many items are stored: those that at least one cursor has not passed. */
  public int items() {
    return stored;
  }

  /** How many cursors there are. */
  public int cursors() {
    return cursors;
  }

  /** How many of the items that are stored {@code cursor} has not passed. */
  public int itemsBefore(Cursor cursor) {
    lock();
    int items = cursor.left ? 0 : (int) Math.min(sent - cursor.position, stored);
    unlock();
    return items;
  }

  /** How many wait to send. */
  public int waitingSenders() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }

  /** How many wait to receive. */
  public int waitingReceivers() {
    lock();
    int waiting = waitingReceivers;
    unlock();
    return waiting;
  }

  /** How many wait to receive at {@code cursor}. */
  public int waitingReceivers(Cursor cursor) {
    lock();
    int waiting = cursor.receivers.size();
    unlock();
    return waiting;
  }

  // ---- items, under the lock ----

  /** Puts {@code item} at the tail, for which there is room, and hands it to one receiver of each cursor at which somebody waits. */
  private void store(Object item, Slot fresh) {
    Slot slot = tail;
    slot.item = item;
    slot.next = fresh;
    fresh.receivers = cursors;
    tail = fresh;
    sent = sent + 1;
    stored = stored + 1;
    Cursor after;
    for (Cursor cursor = firstAwaited; cursor != null; cursor = after) {
      after = cursor.nextAwaited;
      Request receiver = pollClaimedReceiver(cursor);
      if (receiver != null) {
        advance(cursor);
        receiver.item(item);
        decide(receiver, GRANTED);
      }
    }
    trim();
  }

  /** As long as there is room, the sender that has waited longest goes on. */
  private void letSendersGo() {
    while (stored < capacity) {
      Request sender = poll();
      if (sender == null) {
        return;
      }
      store(sender.item(), ((Sending) sender).slot());
      decide(sender, GRANTED);
    }
  }

  /** Brings a cursor that was overtaken to the head. Returns how many items it has missed. */
  private long catchUp(Cursor cursor) {
    long oldest = sent - stored;
    long missed = oldest - cursor.position;
    if (missed <= 0) {
      return 0;
    }
    cursor.slot = head;
    cursor.position = oldest;
    return missed;
  }

  private void advance(Cursor cursor) {
    Slot slot = at(cursor);
    Slot next = Objects.requireNonNull(slot.next);
    slot.cursors--;
    next.cursors++;
    cursor.slot = next;
    cursor.position = cursor.position + 1;
  }

  private static Slot at(Cursor cursor) {
    return Objects.requireNonNull(cursor.slot);
  }

  /** The cursors at the oldest item are overtaken: they count as standing at the next one. */
  private void dropOldest() {
    Objects.requireNonNull(head.next).cursors += head.cursors;
    dropHead();
  }

  /** What all have passed is not kept. */
  private void trim() {
    while (head != tail && head.cursors == 0) {
      dropHead();
    }
  }

  private void dropHead() {
    Slot dropped = head;
    head = Objects.requireNonNull(dropped.next);
    stored = stored - 1;
    // A cursor that was overtaken may keep the slot for ever, and must not keep what came after it.
    dropped.item = null;
    dropped.next = null;
  }

  // ---- those who wait, under the lock ----

  private void refuseSenders(int outcome) {
    while (serveFirst(outcome)) {
      // each in turn
    }
  }

  private void refuseReceivers(Cursor cursor, int outcome) {
    for (Request receiver = pollReceiver(cursor); receiver != null; receiver = pollReceiver(cursor)) {
      receiver.queued = false;
      refuse(receiver, outcome);
    }
  }

  /** Tells a receiver that nothing will come. A selection goes on without it as long as it has others, but not after an error. */
  private void refuse(Request receiver, int outcome) {
    if (!(receiver instanceof SelectRequest)) {
      decide(receiver, outcome);
    } else if (outcome == REFUSED || Objects.requireNonNull(end).error() == null) {
      decide(receiver, CLOSED);
    } else if (receiver.claim()) {
      decide(receiver, REFUSED);
    }
  }

  private void enqueueReceiver(Cursor cursor, Request request) {
    request.queued = true;
    if (cursor.receivers.first() == null) {
      request.markFirst();
      cursor.previousAwaited = lastAwaited;
      if (lastAwaited == null) {
        firstAwaited = cursor;
      } else {
        lastAwaited.nextAwaited = cursor;
      }
      lastAwaited = cursor;
    }
    cursor.receivers.append(request);
    waitingReceivers++;
  }

  /** The receiver that has waited longest and still wants an item, claimed; null if none does, and nobody waits there any more. */
  private @Nullable Request pollClaimedReceiver(Cursor cursor) {
    for (Request receiver = pollReceiver(cursor); receiver != null; receiver = pollReceiver(cursor)) {
      if (receiver.claim()) {
        return receiver;
      }
      receiver.queued = false;
    }
    return null;
  }

  private @Nullable Request pollReceiver(Cursor cursor) {
    Request receiver = cursor.receivers.poll();
    if (receiver != null) {
      receiverHasLeft(cursor);
    }
    return receiver;
  }

  @Override
  protected void unlink(Request request) {
    if (request instanceof Receiving receiving) {
      receiving.cursor().receivers.remove(request);
      request.queued = false;
      receiverHasLeft(receiving.cursor());
    } else {
      super.unlink(request);
    }
  }

  private void receiverHasLeft(Cursor cursor) {
    waitingReceivers--;
    if (cursor.receivers.first() != null) {
      return;
    }
    Cursor before = cursor.previousAwaited;
    Cursor after = cursor.nextAwaited;
    if (before == null) {
      firstAwaited = after;
    } else {
      before.nextAwaited = after;
    }
    if (after == null) {
      lastAwaited = before;
    } else {
      after.previousAwaited = before;
    }
    cursor.previousAwaited = null;
    cursor.nextAwaited = null;
  }
}
