// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.memory;

import static dev.baton.host.Waiter.REFUSED;

import dev.baton.host.Held;
import dev.baton.host.Host;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.LeaseWaiter;
import dev.baton.lease.LimitMismatchException;
import dev.baton.lease.OnMismatch;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.NameView;
import dev.baton.lease.spi.Terms;
import dev.baton.sync.ClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One name: its permits, its slots, who has them and who waits. A grant takes permits, slots and a token in one step, in the order in which
 * they were asked for; that is why the line stands here, under the same monitor. Under it nobody is woken and no foreign code runs: what was
 * granted is put in a {@link Wakes} and seen to afterwards.
 */
final class NameState extends Deadlines.Entry implements Held {
  private final MemoryStore store;
  private final String name;

  // All guarded by this.
  private final SlotSet slots = new SlotSet();
  private final Map<String, HeldLease> live = new LinkedHashMap<>();
  private int declared;
  private int limit;
  private int used;
  private long lastToken;
  private @Nullable LeaseRequest first;
  private @Nullable LeaseRequest last;
  private int waiting;
  private boolean dead;
  private long granted;
  private long released;
  private long expired;
  private long revoked;
  private long timedOut;
  private long idleTtl;
  private Host host;
  private long lastUse;

  /** Whether a timer will look whether it is idle, and when. */
  private boolean watched;

  private long watchedAt;

  NameState(MemoryStore store, Terms terms, Host host, long lastToken) {
    this.store = store;
    this.name = terms.name();
    this.declared = terms.limit();
    this.limit = terms.limit();
    this.idleTtl = terms.idleTtl();
    this.host = host;
    this.lastUse = host.nanoTime();
    this.lastToken = lastToken;
  }

  // ---- asking ----

  /** Grants, refuses, fails or queues {@code request}. False: this name was dropped, and there may be another state by now. */
  synchronized boolean acquire(LeaseRequest request, Wakes wakes) {
    if (dead) {
      return false;
    }
    HeldLease lease = request.lease();
    RuntimeException refusal = refusal(lease);
    if (refusal != null) {
      request.claim();
      request.fail(refusal);
      return true;
    }
    request.waitsFor(this);
    touch(lease.host(), lease.requestedAt(), lease.terms().idleTtl());
    if (overwrites(lease.terms())) {
      declared = lease.terms().limit();
      setLimit(declared, wakes);
    }
    if (first == null && lease.permits() <= limit - used) {
      // Nobody else knows it yet, so that nobody can have claimed it.
      request.claim();
      grant(lease, lease.requestedAt());
      wakes.grantedNow(request);
    } else if (request.mayWait()) {
      enqueue(request);
    } else {
      request.claim();
      request.decide(REFUSED);
      watchIfIdle(lastUse);
    }
    return true;
  }

  /** Why {@code lease} can never be granted; null if it can. Changes nothing. */
  private @Nullable RuntimeException refusal(HeldLease lease) {
    Terms terms = lease.terms();
    if (store.isClosed()) {
      return MemoryStore.closed();
    }
    if (isMismatch(terms) && terms.onMismatch() == OnMismatch.ERROR) {
      return new LimitMismatchException(Terms.shown(name), terms.limit(), limit);
    }
    int itsLimit = overwrites(terms) ? terms.limit() : limit;
    return lease.permits() > itsLimit ? tooMany(lease, itsLimit) : null;
  }

  private boolean isMismatch(Terms terms) {
    return terms.limit() != limit && terms.limit() != declared;
  }

  private boolean overwrites(Terms terms) {
    return isMismatch(terms) && terms.onMismatch() == OnMismatch.OVERWRITE;
  }

  static IllegalArgumentException tooMany(HeldLease lease, int limit) {
    return new IllegalArgumentException(
        lease.permits() + " permits of " + Terms.shown(lease.name()) + " can never be granted: the limit is " + limit
            + ". Ask for at most that, or resize.");
  }

  private void grant(HeldLease lease, long now) {
    int[] taken = new int[lease.permits()];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = slots.takeLowest();
    }
    used += taken.length;
    granted++;
    live.put(lease.id(), lease);
    lease.granted(this, taken, ++lastToken, limit, now, lease.terms().ttl(), Terms.NEVER);
  }

  /** Serves those who wait, in order, until one does not fit. */
  private void pump(Wakes wakes) {
    for (LeaseRequest head = first; head != null; head = first) {
      HeldLease lease = head.lease();
      if (!head.isClaimed() && lease.permits() > limit - used) {
        head.markFirst();
        return;
      }
      unlink(head);
      // One that was given up is not served.
      if (head.claim()) {
        grant(lease, lease.host().nanoTime());
        wakes.granted(head);
      }
    }
  }

  /** A request that was given up leaves the line. */
  synchronized void withdraw(LeaseRequest request, boolean inVain, Wakes wakes) {
    if (inVain) {
      timedOut++;
    }
    if (request.queued) {
      unlink(request);
    }
    pump(wakes);
    lastUse = host.nanoTime();
    watchIfIdle(lastUse);
  }

  /** One that waits no longer than not at all was refused. */
  synchronized void countTimeOut() {
    timedOut++;
  }

  // ---- giving back ----

  synchronized @Nullable HeldLease find(String id) {
    return live.get(id);
  }

  /** Takes back what a lease that has ended stood for. */
  synchronized void takeBack(HeldLease lease, Wakes wakes) {
    if (live.remove(lease.id()) == null) {
      return;
    }
    switch (lease.state()) {
      case EXPIRED, UNREACHABLE -> expired++;
      case REVOKED -> revoked++;
      case NEW, HELD, RELEASED -> released++;
    }
    for (int slot : lease.slots()) {
      slots.free(slot);
    }
    used -= lease.permits();
    lastUse = host.nanoTime();
    pump(wakes);
    watchIfIdle(lastUse);
  }

  /** By {@code user}, which is a use like others. False: dropped. */
  synchronized boolean resize(int newLimit, Host user, long newIdleTtl, Wakes wakes) {
    if (dead) {
      return false;
    }
    touch(user, user.nanoTime(), newIdleTtl);
    setLimit(newLimit, wakes);
    watchIfIdle(lastUse);
    return true;
  }

  private void setLimit(int newLimit, Wakes wakes) {
    limit = newLimit;
    for (LeaseRequest request = first; request != null; ) {
      LeaseRequest next = request.next;
      if (request.lease().permits() > newLimit) {
        unlink(request);
        if (request.claim()) {
          wakes.failed(request, tooMany(request.lease(), newLimit));
        }
      }
      request = next;
    }
    pump(wakes);
  }

  /** Refuses those who wait, and returns what is held. */
  synchronized List<HeldLease> close(Wakes wakes) {
    ClosedException why = MemoryStore.closed();
    for (LeaseRequest head = first; head != null; head = first) {
      unlink(head);
      if (head.claim()) {
        wakes.failed(head, why);
      }
    }
    return List.copyOf(live.values());
  }

  // ---- the line ----

  private void enqueue(LeaseRequest request) {
    request.queued = true;
    request.previous = last;
    if (last == null) {
      first = request;
      request.markFirst();
    } else {
      last.next = request;
    }
    last = request;
    waiting++;
  }

  private void unlink(LeaseRequest request) {
    LeaseRequest before = request.previous;
    LeaseRequest after = request.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    request.previous = null;
    request.next = null;
    request.queued = false;
    waiting--;
  }

  // ---- idle ----

  private void touch(Host user, long now, long newIdleTtl) {
    idleTtl = newIdleTtl;
    lastUse = now;
    if (user != host) {
      host = user;
      watched = false;
    }
  }

  /**
   * Has it looked at when it may have been idle for long enough. While it is in use there is no timer: one that went on and on would hide from
   * a virtual clock that nothing can happen any more.
   */
  private void watchIfIdle(long now) {
    if (first != null || !live.isEmpty() || dead || idleTtl == Terms.NEVER) {
      return;
    }
    long time = now + idleTtl;
    // A timer that comes too early finds that out by itself; one that would come too late does not.
    if (!watched || time - watchedAt < 0) {
      watched = true;
      watchedAt = time;
      store.watch(this, host, time);
    }
  }

  @Override
  protected void due() {
    long token;
    synchronized (this) {
      long now = host.nanoTime();
      if (dead) {
        return;
      }
      watched = false;
      if (first != null || !live.isEmpty() || idleTtl == Terms.NEVER) {
        return;
      }
      if (lastUse + idleTtl - now > 0) {
        watchIfIdle(lastUse);
        return;
      }
      dead = true;
      token = lastToken;
    }
    store.drop(name, this, token);
  }

  // ---- looking ----

  /** Whether a newcomer would have to wait. */
  @Override
  public synchronized List<Holder> heldBy() {
    return live.values().stream().map(HeldLease::holder).toList();
  }

  synchronized boolean isFull() {
    return first != null || used >= limit;
  }

  synchronized NameView view() {
    List<LeaseWaiter> waiters = new ArrayList<>(waiting);
    Duration oldest = Duration.ZERO;
    for (LeaseRequest request = first; request != null; request = request.next) {
      if (!request.isClaimed()) {
        HeldLease lease = request.lease();
        Duration age = since(lease, lease.requestedAt());
        oldest = waiters.isEmpty() ? age : oldest;
        waiters.add(
            new LeaseWaiter(lease.id(), lease.label(), lease.owner(), lease.permits(), waiters.size() + 1, age));
      }
    }
    List<LeaseHolder> holders = new ArrayList<>(live.size());
    for (HeldLease lease : live.values()) {
      holders.add(
          new LeaseHolder(
              lease.id(),
              lease.label(),
              lease.owner(),
              lease.permits(),
              Arrays.stream(lease.slots()).boxed().toList(),
              lease.fencingToken(),
              since(lease, lease.grantedAt()),
              lease.remainingAt(lease.host().nanoTime())));
    }
    return new NameView(stats(waiters.size(), oldest), holders, waiters);
  }

  private static Duration since(HeldLease lease, long start) {
    return Duration.ofNanos(Math.max(0, lease.host().nanoTime() - start));
  }

  synchronized LeaseStats stats() {
    LeaseRequest head = first;
    while (head != null && head.isClaimed()) {
      head = head.next;
    }
    Duration oldest = head == null ? Duration.ZERO : since(head.lease(), head.lease().requestedAt());
    return stats(head == null ? 0 : waiting, oldest);
  }

  private LeaseStats stats(int inLine, Duration oldest) {
    return new LeaseStats(
        name, used, limit, live.size(), inLine, oldest, granted, released, expired, revoked, timedOut);
  }

  /** As shown in dumps; without the monitor, because whoever makes a dump waits for nobody. */
  @Override
  public String toString() {
    return "LeaseSemaphore[" + Terms.shown(name) + "]";
  }
}
