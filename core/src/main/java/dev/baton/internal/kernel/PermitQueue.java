// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.OVERFULL;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Host;
import dev.baton.host.Probe;
import dev.baton.host.Waiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Permits and the queue for them: the algorithm under every primitive.
 *
 * <pre>
 *   word > 0   that many permits are free, and nobody who could still be denied one is queued
 *   word ≤ 0   nothing is free; −word is the demand not yet covered
 *
 *   take one   fetch-add −1, decided by the value it returned       give one   fetch-add +1, checked after
 *   take n     load and compare-and-set                             give n     load and compare-and-set
 *   the rest   under the lock, and every critical section ends with {@link #finish}, or {@link #handOver}
 * </pre>
 *
 * <p>With H permits held, D the demand of the queue, of {@code orphan} and of unit requests on their way in, P the returns
 * of one permit that saw a negative word and are not booked yet, and T the limit (less 2^62 once closed), these hold at
 * every step:
 *
 * <pre>
 *   word + H + D = T + P                 bank = D − P + min(word, 0)   (bank = D − P + word once closed)
 * </pre>
 *
 * <p>Everything that withdraws demand only moves it to {@code orphan}; {@link #settle} alone gives it back to the word, and
 * never so much that the bank would fall below zero: a return still on its way to the lock must not become visible through
 * somebody else's cancel. The proof is in {@code docs/kernel.md}.
 */
public class PermitQueue extends LimitedQueue {
  /** The largest count of permits, limit and request. */
  public static final long MAX = 1L << 60;

  /** Closing lowers the word by this, so that every fast path falls through to the lock. */
  private static final long CLOSE_OFFSET = 1L << 62;

  /** The most that queued requests may ask for together; keeps the word from overflowing. */
  private static final long MAX_DEMAND = 1L << 61;

  /** Whether the next in line is woken before its turn comes. */
  private final boolean wakesEarly;

  /** That of the primitive, if it was named. Not volatile: whoever sees it sees all of it. */
  private @Nullable Probe probe;

  /** A queue for at most {@code limit} permits of which {@code free} can be taken now; the others count as held. */
  public PermitQueue(long limit, long free) {
    this(limit, free, true);
  }

  /**
   * The same; with {@code wakesEarly} false for permits that are held long: then the next in line, who would only look for its turn
   * meanwhile, sleeps until it comes.
   */
  public PermitQueue(long limit, long free, boolean wakesEarly) {
    this.word = free;
    this.limit = limit;
    this.total = limit;
    this.wakesEarly = wakesEarly;
  }

  /** That of the primitive that this queue serves, if it was named. */
  public @Nullable Probe probe() {
    return probe;
  }

  /** The primitive that this queue serves was named. */
  public void probe(Probe named) {
    probe = named;
  }

  // ---- taking ----

  /** Takes one permit. False: it was not free, the demand is registered, and {@link #await} or {@link #enqueue} must follow. */
  public boolean takeOne() {
    return (long) WORD.getAndAdd(this, -1L) >= 1;
  }

  /** Takes {@code n} permits if they are free and nobody waits; otherwise changes nothing. */
  public boolean tryTake(long n) {
    // Never more than the limit: for a moment a wrong return can make the word larger than that.
    for (long s = word; s >= n && n <= limit; s = word) {
      if (WORD.compareAndSet(this, s, s - n)) {
        return true;
      }
    }
    return false;
  }

  /** Takes all {@code limit} permits if all are free; otherwise changes nothing. The limit must never change. */
  public boolean takeAll(long limit) {
    // The value is known beforehand: to load it first would cost as much as the exchange.
    return WORD.compareAndSet(this, limit, 0L);
  }

  /**
   * Takes {@code n} permits before all who wait, if they are free or set aside for the first of those; otherwise changes
   * nothing. Together with {@link #enqueueBeforeAll}: as if queued there and granted, or withdrawn, in one step.
   */
  public boolean tryTakeBeforeAll(long n) {
    lock();
    while (true) {
      long s = word;
      long change = negative(s - n) - negative(s);
      // The bank pays what is not free in the word, and never more than it has.
      if (closed || n > total || bank + change < 0) {
        unlock();
        return false;
      }
      if (WORD.compareAndSet(this, s, s - n)) {
        bank += change;
        finish();
        unlockAndWake();
        return true;
      }
    }
  }

  /**
   * Queues the calling task for {@code n} permits and waits.
   *
   * @param registered whether {@link #takeOne} has registered the demand
   * @return GRANTED, CLOSED, REFUSED or OVERFULL, INTERRUPTED or TIMED_OUT; nothing is held unless GRANTED
   */
  public int await(long n, boolean registered, Object blocker, boolean interruptible, long nanos) {
    return await(null, n, registered, blocker, interruptible, nanos);
  }

  /** The same for a task of {@code host}; null if that has not been asked for. */
  public int await(@Nullable Host host, long n, boolean registered, Object blocker, boolean interruptible, long nanos) {
    Request request;
    try {
      request = host == null ? new Request(n) : new Request(n, host);
    } catch (Throwable failure) {
      if (registered) {
        withdraw(n);
      }
      throw failure;
    }
    int outcome = enqueue(request, registered);
    return outcome == WAITING ? await(request, blocker, interruptible, nanos) : outcome;
  }

  /**
   * Puts {@code request} at the end of the queue.
   *
   * @return WAITING if it stands there now (or has just been decided, or was served elsewhere), else what became of it at once;
   *     if GRANTED, it is claimed
   */
  public int enqueue(Request request, boolean registered) {
    return enqueue(request, registered, false);
  }

  /** Puts {@code request} before all others: the way in for those who hold permits that the others wait for. */
  public int enqueueBeforeAll(Request request) {
    return enqueue(request, false, true);
  }

  private int enqueue(Request request, boolean registered, boolean front) {
    long n = request.need;
    lock();
    if (closed || n > total || (!registered && word - n < -MAX_DEMAND)) {
      int outcome = closed ? CLOSED : n > total ? REFUSED : OVERFULL;
      if (registered) {
        orphan += n;
      }
      finish();
      unlockAndWake();
      return outcome;
    }
    if (!registered) {
      long s = (long) WORD.getAndAdd(this, -n);
      if (s >= n && request.claim()) {
        granted(request, n);
        unlock();
        return GRANTED;
      }
      // What was free in the word is now set aside; for one that was served elsewhere, until the end of this critical section.
      bank += n + negative(s - n) - negative(s);
    }
    if (front) {
      makesRoomInFront();
      enqueueFirst(request);
      firstIsPlain = false;
    } else {
      enqueue(request);
      if (first() == request) {
        firstIsPlain = request.isPlain();
      }
    }
    finish();
    try {
      unlockAndWake();
    } catch (Throwable failure) {
      // Somebody else's callback failed: the error surfaces here, so our own request must not stay behind.
      leave(request);
      throw failure;
    }
    return WAITING;
  }

  /** Takes back demand that {@link #takeOne} registered. */
  public void withdraw(long n) {
    lock();
    orphan += n;
    finish();
    unlockAndWake();
  }

  /** What was granted goes back. */
  @Override
  protected final void giveUp(Request request) {
    if (request.outcome() == GRANTED) {
      givenUp(request);
      giveBack(request.need);
    }
  }

  /** {@code request}, for {@code need} permits, is about to be granted, and is not to be looked at. Called under the lock. */
  protected void granted(Request request, long need) {}

  /** What was granted to {@code request} is about to go back, because whoever waited does not take it. Called without the lock. */
  protected void givenUp(Request request) {}

  // ---- giving ----

  /** Returns one permit. False: none was held; nothing has changed. */
  public boolean giveOne() {
    long old = (long) WORD.getAndAdd(this, 1L);
    // 0 ≤ old < limit in one comparison. The limit is read after the fetch-add: a check before would cost as much again.
    return Long.compareUnsigned(old, limit) < 0 || giveOneSlowly(old);
  }

  private boolean giveOneSlowly(long old) {
    boolean accepted;
    lock();
    if (old < 0 && firstIsPlain && bank == 0 && orphan == 0) {
      handOver();
      return true;
    }
    if (old < 0) {
      bank += 1;
      // One that pays a debt may have let a wrong return pass meanwhile, and is the last who can find that out.
      accepted = bank > 0 ? finishBooked(1) : finish(1);
    } else {
      accepted = finish(1);
    }
    unlockAndWake();
    return accepted;
  }

  /**
   * The first in line, who is plain, gets the one permit that came back, and there is nothing else to settle: all of this critical section, but without
   * writing down in between what is written off again, and whom to wake.
   */
  private void handOver() {
    Request request = Objects.requireNonNull(first());
    serve(request, 1);
    unlockAndWakeAlone(request);
  }

  /** Returns {@code n} permits. False: fewer were held; nothing has changed. */
  public boolean give(long n) {
    if (n == 1) {
      return giveOne();
    }
    for (long s = word; s >= 0 && s + n <= limit; s = word) {
      if (WORD.compareAndSet(this, s, s + n)) {
        return s + n <= limit || verify(n);
      }
    }
    return giveSlowly(n, n);
  }

  /** Returns all {@code limit} permits, taken by {@link #takeAll} or granted; less if wrong returns have returned some for us. */
  public void giveAll(long limit) {
    if (!WORD.compareAndSet(this, 0L, limit)) {
      giveBack(limit);
    }
  }

  /** The limit changed while {@code n} permits were returned. */
  private boolean verify(long n) {
    lock();
    boolean accepted = finish(n);
    unlockAndWake();
    return accepted;
  }

  /** Returns {@code n} permits that were granted; less only if wrong returns have already returned them for us. */
  public void giveBack(long n) {
    if (!give(n)) {
      giveSlowly(n, 1);
    }
  }

  private boolean giveSlowly(long most, long least) {
    lock();
    while (true) {
      long s = word;
      long n = Math.min(most, held(s));
      if (n < least) {
        unlock();
        return false;
      }
      if (WORD.compareAndSet(this, s, s + n)) {
        bank += negative(s + n) - negative(s);
        finish();
        unlockAndWake();
        return true;
      }
    }
  }

  // ---- changing the limit ----

  /** Sets the limit; queued requests that can never fit are refused. False: closed. */
  public boolean resize(long newLimit) {
    lock();
    if (closed) {
      unlock();
      return false;
    }
    if (newLimit < total) {
      limit = newLimit;
      long change = newLimit - total;
      long s = (long) WORD.getAndAdd(this, change);
      bank += negative(s + change) - negative(s);
      total = newLimit;
      refuseTooLarge();
      finish();
    } else {
      long change = newLimit - total;
      orphan += change;
      bank += change;
      total = newLimit;
      finish();
      limit = newLimit;
    }
    unlockAndWake();
    return true;
  }

  /** Takes up to {@code n} free permits out for good, lowering the limit with them if {@code lowerLimit}. */
  public long forgetFree(long n, boolean lowerLimit) {
    lock();
    long gone = 0;
    while (!closed) {
      long s = word;
      // No more than there are: what a wrong return has added for a moment is not there to be taken out.
      gone = Math.min(n, Math.min(Math.max(s, 0), total));
      if (lowerLimit) {
        // Published first, as by any shrink. They must not count as held in between: a wrong return would pass for theirs.
        limit = total - gone;
      }
      if (gone == 0 || WORD.compareAndSet(this, s, s - gone)) {
        break;
      }
    }
    if (lowerLimit && gone > 0) {
      total -= gone;
      refuseTooLarge();
    }
    finish();
    unlockAndWake();
    return gone;
  }

  /** Takes {@code n} held permits out for good: they pay a debt first, the others lower the limit. */
  public void forgetHeld(long n) {
    lock();
    long paid = closed ? 0 : payDebt(n);
    lowerLimit(n - paid);
    finish();
    unlockAndWake();
  }

  /** Pays up to {@code n} of a debt with permits that are held; with fewer if wrong returns have already returned some of them. */
  private long payDebt(long n) {
    while (true) {
      long s = word;
      long paid = Math.min(n, Math.min(Math.max(-bank, 0), Math.max(held(s), 0)));
      if (paid == 0 || WORD.compareAndSet(this, s, s + paid)) {
        bank += negative(s + paid) - negative(s);
        return paid;
      }
    }
  }

  /** Lowers the limit by {@code n} permits that are held; by less if wrong returns have already returned some of them. */
  private void lowerLimit(long n) {
    if (n == 0) {
      return;
    }
    // Published first: from here on a wrong return comes to the lock to be verified.
    limit = Math.max(total - n, 0);
    long s;
    long gone;
    do {
      s = word;
      gone = Math.max(0, Math.min(n, held(s)));
      // Writes nothing new: makes sure that the count was exact when the limit was lowered.
    } while (!WORD.compareAndSet(this, s, s));
    total -= gone;
    // Once closed a debt is not paid off, and a negative limit would switch the check of returns off.
    limit = Math.max(total, 0);
    refuseTooLarge();
  }

  /** Refuses all who wait and all who come; what is held can still be returned. A second close does nothing. */
  public void close() {
    lock();
    if (!closed) {
      long s = (long) WORD.getAndAdd(this, -CLOSE_OFFSET);
      bank += Math.max(s, 0) - CLOSE_OFFSET;
      // After the word: whoever sees it closed can be granted nothing any more.
      closed = true;
      for (Request r = first(); r != null; r = first()) {
        drop(r, CLOSED);
      }
      finish();
    }
    unlockAndWake();
  }

  private void refuseTooLarge() {
    Request after;
    for (Request r = first(); r != null; r = after) {
      after = after(r);
      if (r.need > total) {
        drop(r, REFUSED);
      }
    }
  }

  private void drop(Request request, int outcome) {
    unlink(request);
    if (request.claim()) {
      decide(request, outcome);
    }
  }

  /** Takes a request out of the queue; its demand is nobody's now. */
  @Override
  protected void unlink(Request request) {
    leaves(request);
    if (request == first()) {
      firstIsPlain = false;
    }
    super.unlink(request);
    orphan += request.need;
  }

  // ---- the end of every critical section ----

  private void finish() {
    finishBooked(0);
  }

  /** Permits often follow one another: one of those who wait spins meanwhile. */
  @Override
  protected final @Nullable Request nextInLine() {
    return wakesEarly ? super.nextInLine() : null;
  }

  @Override
  protected void reconsider() {
    finish();
  }

  /** Serves the queue, verifies the bound, settles withdrawn demand. False: the caller's own return of {@code mine} was refused. */
  private boolean finish(long mine) {
    pump();
    return settle(mine);
  }

  /**
   * The same where nothing was returned, or was and is booked, and has paid no debt. Mostly there is nothing left to settle then; and with an
   * empty bank nothing to verify: what lies above the limit is taken back by its culprit. So the word is not looked at, which another core
   * may have by now.
   */
  private boolean finishBooked(long mine) {
    pump();
    return (bank == 0 && orphan == 0) || settle(mine);
  }

  /** Grants from the front while the whole request fits. What does not yet fill the first stays set aside for it. */
  private void pump() {
    // With an empty bank the first in line, which may be looking for its turn on another core, is not touched.
    while (bank > 0) {
      Request r = first();
      if (r == null) {
        return;
      }
      long need = 1;
      // A plain one is not even read before it is told: where it looks for its turn, each look at it delays that by a way across.
      if (!firstIsPlain) {
        need = r.need;
        if (need > bank) {
          return;
        }
        if (!r.claim()) {
          leaves(r);
          pollFirst();
          r.queued = false;
          orphan += need;
          continue;
        }
      }
      bank -= need;
      serve(r, need);
      wakeLater(r);
    }
  }

  private void serve(Request first, long need) {
    granted(first, need);
    // Before all else: it may be looking.
    first.decide(GRANTED);
    serves(first);
    pollFirst();
  }

  /** Takes the first out of the line, and finds out about the next one, which that writes to in any case. */
  private void pollFirst() {
    poll();
    Request next = first();
    firstIsPlain = next != null && next.isPlain();
  }

  private boolean settle(long mine) {
    boolean accepted = true;
    while (true) {
      long s = word;
      long excess = -held(s);
      // What lies above the limit is taken back by its culprit, who is on its way here.
      long theirs = closed ? 0 : Math.max(0, s - total);
      if (mine > 0 ? excess > 0 : excess > theirs) {
        long k = mine > 0 ? mine : excess - theirs;
        // By compare-and-set, at the very value that was verified: nobody has used what is taken back.
        if (WORD.compareAndSet(this, s, s - k)) {
          bank += negative(s - k) - negative(s);
          if (mine > 0) {
            accepted = false;
            mine = 0;
          }
        }
        continue;
      }
      long x = Math.min(orphan, Math.max(0, -s) + (first() == null ? Math.max(0, bank) : 0));
      if (x == 0) {
        return accepted;
      }
      if (WORD.compareAndSet(this, s, s + x)) {
        orphan -= x;
        bank += negative(s + x) - negative(s) - x;
      }
    }
  }

  /** min(s, 0), or s once closed. */
  private long negative(long s) {
    return closed ? s : Math.min(s, 0);
  }

  /** Exact under the lock, at the instant the word was {@code s}. */
  private long held(long s) {
    return closed ? total - CLOSE_OFFSET - bank : total - Math.max(s, 0) - bank;
  }

  // ---- looking ----

  /** The word for those who look: what lies above the limit was never there, and is about to be refused. Under the lock. */
  private long seen(long s) {
    return Math.min(s, Math.max(total, 0));
  }

  /** Permits that could be taken now. */
  public long available() {
    return Math.min(Math.max(word, 0), limit);
  }

  /** The limit. Exact: what is published may be lower for a moment, while {@link #forgetFree} finds out how many are free. */
  public long limit() {
    lock();
    // Negative once closed, if more was taken out for good than a shrink had left.
    long now = Math.max(total, 0);
    unlock();
    return now;
  }

  /** How many permits are held; those that are granted and not yet taken count, those that somebody waits for do not. */
  public long held() {
    lock();
    long now = held(seen(word));
    unlock();
    return now;
  }

  /** Whether {@link #close} has been called. */
  public boolean isClosed() {
    // So low a word is one that close has lowered, and may be about to say so.
    return closed || (word < -MAX_DEMAND && isClosedByNow());
  }

  private boolean isClosedByNow() {
    lock();
    boolean now = closed;
    unlock();
    return now;
  }

  /** How many requests stand in the queue. */
  public int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }

  /** One consistent instant. */
  public QueueState state() {
    Request[] requests = new Request[waiting()];
    while (true) {
      lock();
      int size = size();
      if (size <= requests.length) {
        int i = 0;
        for (Request r = first(); r != null; r = after(r)) {
          requests[i++] = r;
        }
        long s = seen(word);
        long free = closed ? 0 : Math.max(s, 0);
        long reserved = closed ? 0 : Math.max(bank, 0);
        long debt = closed ? 0 : Math.max(-bank, 0);
        long held = held(s);
        long limitNow = Math.max(total, 0);
        boolean closedNow = closed;
        unlock();
        return new QueueState(limitNow, free, reserved, held, debt, closedNow, requests, size);
      }
      unlock();
      // Nothing is allocated under the lock: make room out here, with some to spare for those who come meanwhile.
      requests = new Request[size + size / 4 + 4];
    }
  }
}
