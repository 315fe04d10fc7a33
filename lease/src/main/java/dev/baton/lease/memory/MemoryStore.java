// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.memory;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.ReleaseResult;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseLog;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.lease.spi.NameView;
import dev.baton.lease.spi.Terms;
import dev.baton.sync.ClosedException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Leases inside one process. A name is known while somebody uses it, and for its idle time after that; handles look it up again each time, so
 * that there is never more than one state of a name.
 */
public final class MemoryStore implements LeaseStore {
  private static final long MICROS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final ConcurrentHashMap<String, NameState> names = new ConcurrentHashMap<>();
  private final Deadlines deadlines = new Deadlines();

  /** The highest token of all names that were dropped: one that comes again goes on from there, whatever the clock says. */
  private final AtomicLong lastToken = new AtomicLong();

  private volatile boolean closed;

  /** No name is known yet. */
  public MemoryStore() {}

  static ClosedException closed() {
    return new ClosedException("These leases are closed: nothing can be acquired any more, and what was held has been released.");
  }

  @Override
  public String kind() {
    return "memory";
  }

  @Override
  public void acquire(LeaseRequest request) {
    Wakes wakes = new Wakes();
    Terms terms = request.lease().terms();
    NameState state = names.get(terms.name());
    while (state == null || !state.acquire(request, wakes)) {
      RuntimeException refusal = refusalOfNewName(request.lease());
      if (refusal != null) {
        request.claim();
        request.fail(refusal);
        return;
      }
      state = stateOf(terms, request.host());
    }
    wakes.run(deadlines, false);
  }

  /** Why nobody would be granted {@code lease} if its name were made for it; null if somebody would. */
  private @Nullable RuntimeException refusalOfNewName(HeldLease lease) {
    int limit = lease.terms().limit();
    if (closed) {
      return closed();
    }
    return lease.permits() > limit ? NameState.tooMany(lease, limit) : null;
  }

  /** The state of a name; made if there is none. */
  private NameState stateOf(Terms terms, Host host) {
    NameState known = names.get(terms.name());
    if (known != null) {
      return known;
    }
    AtomicBoolean made = new AtomicBoolean();
    NameState state =
        names.computeIfAbsent(
            terms.name(),
            name -> {
              made.set(true);
              // In here: one that was dropped meanwhile has said how far its tokens were.
              return new NameState(this, terms, host, firstToken(host));
            });
    if (made.get()) {
      Ledger.made(state);
    }
    if (closed) {
      // Perhaps since all names were forgotten.
      names.remove(terms.name(), state);
    }
    return state;
  }

  private long firstToken(Host host) {
    Instant now = host.now();
    return Math.max(now.getEpochSecond() * MICROS + now.getNano() / NANOS_PER_MICRO, lastToken.get());
  }

  void watch(NameState state, Host host, long time) {
    deadlines.add(host, state, time);
  }

  void drop(String name, NameState state, long token) {
    // Before it is gone: its successor begins after this.
    lastToken.accumulateAndGet(token, Math::max);
    names.remove(name, state);
  }

  @Override
  public void withdraw(LeaseRequest request, boolean timedOut) {
    NameState state = names.get(request.lease().name());
    if (state == null) {
      return;
    }
    if (!request.mayWait()) {
      state.countTimeOut();
      return;
    }
    Wakes wakes = new Wakes();
    state.withdraw(request, timedOut, wakes);
    wakes.run(deadlines, false);
  }

  @Override
  public void giveBack(HeldLease lease) {
    takeBack(lease).run(deadlines, false);
  }

  @Override
  public void settle(HeldLease lease) {
    takeBack(lease).run(deadlines, false);
  }

  /** Of one that has ended. Done once: who comes later finds it done. */
  private Wakes takeBack(HeldLease lease) {
    // Also if it was extended for ever meanwhile.
    if (lease.terms().ttl() != Terms.NEVER) {
      deadlines.end(lease);
    }
    Wakes wakes = new Wakes();
    ((NameState) lease.primitive()).takeBack(lease, wakes);
    return wakes;
  }

  /** The caller has brought it to its end. Callbacks of those who are served may run here, and take their time: that comes last. */
  private void ended(HeldLease lease, boolean elsewhere) {
    Wakes wakes = takeBack(lease);
    try {
      lease.tellOfLoss();
    } finally {
      wakes.run(deadlines, elsewhere);
    }
  }

  @Override
  public void expire(HeldLease lease) {
    if (lease.endIfOver()) {
      ended(lease, true);
    } else if (lease.state() == HeldLease.State.HELD) {
      lease.watch(deadlines);
    }
  }

  @Override
  public ReleaseResult release(String name, String id) {
    return end(name, id, HeldLease.State.RELEASED) ? ReleaseResult.RELEASED : ReleaseResult.UNKNOWN;
  }

  @Override
  public boolean revoke(String name, String id) {
    return end(name, id, HeldLease.State.REVOKED);
  }

  private boolean end(String name, String id, HeldLease.State how) {
    HeldLease lease = find(name, id);
    if (lease == null) {
      return false;
    }
    if (lease.endIfOver()) {
      ended(lease, false);
      return false;
    }
    if (!lease.end(how)) {
      // Somebody else is about to take it back; who is told that it is gone finds it so.
      settle(lease);
      return false;
    }
    ended(lease, false);
    if (how == HeldLease.State.RELEASED) {
      LeaseLog.released(name, kind());
    }
    return true;
  }

  private @Nullable HeldLease find(String name, String id) {
    NameState state = names.get(name);
    return state == null ? null : state.find(id);
  }

  @Override
  public boolean extend(String name, String id, long nanos) {
    HeldLease lease = find(name, id);
    // The timer finds out by itself that there is more time.
    return lease != null && lease.prolong(lease.host().nanoTime(), nanos);
  }

  @Override
  public void resize(Terms terms, int limit) {
    if (closed) {
      throw closed();
    }
    Wakes wakes = new Wakes();
    Host host = Hosts.current();
    while (!stateOf(terms, host).resize(limit, host, terms.idleTtl(), wakes)) {
      // It has just been dropped.
    }
    wakes.run(deadlines, false);
  }

  @Override
  public boolean isFull(String name) {
    NameState state = names.get(name);
    return state != null && state.isFull();
  }

  @Override
  public @Nullable LeaseStats stats(String name) {
    NameState state = names.get(name);
    return state == null ? null : state.stats();
  }

  @Override
  public NameView inspect(String name) {
    NameState state = names.get(name);
    return state == null ? NameView.EMPTY : state.view();
  }

  @Override
  public List<String> names() {
    return List.copyOf(names.keySet());
  }

  @Override
  public void close() {
    closed = true;
    for (NameState state : names.values()) {
      Wakes wakes = new Wakes();
      List<HeldLease> held = state.close(wakes);
      wakes.run(deadlines, false);
      for (HeldLease lease : held) {
        if (lease.end(HeldLease.State.RELEASED)) {
          giveBack(lease);
        }
      }
    }
    deadlines.stop();
    names.clear();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
