// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import static dev.baton.lease.spi.Terms.NEVER;

import dev.baton.host.Alarms;
import dev.baton.host.Held;
import dev.baton.host.Host;
import dev.baton.host.Incidents;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.lease.Lease;
import dev.baton.lease.LossReason;
import dev.baton.lease.OnExpiry;
import dev.baton.lease.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder has it: what it was granted, and how it ends.
 *
 * <pre>
 *   NEW ──granted──▶ HELD ──end──▶ RELEASED | EXPIRED | REVOKED | UNREACHABLE        once
 * </pre>
 *
 * Whoever brings it from HELD to an end has to see to its permits, after that: so the holder knows before anybody else is served. Then, if it was
 * lost, those are {@linkplain #tellOfLoss told} who want to know: they find the permits where they belong, and cannot keep them from there.
 */
public final class HeldLease extends Deadlines.Entry implements Lease {

  /** How it is with a lease. */
  public enum State {
    /** Not granted yet. */
    NEW,
    /** Granted, and neither released nor lost. */
    HELD,
    /** Given back. */
    RELEASED,
    /** Lost: its time was over. */
    EXPIRED,
    /** Lost: somebody took it away. */
    REVOKED,
    /** Lost: the store cannot be reached, or has forgotten it. */
    UNREACHABLE;

    Optional<LossReason> loss() {
      return switch (this) {
        case EXPIRED -> Optional.of(LossReason.EXPIRED);
        case REVOKED -> Optional.of(LossReason.REVOKED);
        case UNREACHABLE -> Optional.of(LossReason.UNREACHABLE);
        case NEW, HELD, RELEASED -> Optional.empty();
      };
    }
  }

  private final LeaseStore store;
  private final RecentLosses losses;
  private final Terms terms;
  private final String id;
  private final int permits;
  private final Host host;
  private final @Nullable Object task;
  private final @Nullable Probe probe;
  private final long requestedAt;

  // Written by whoever grants it, before anybody else has it.
  private int[] slots = {};
  private int slot;
  private long token;
  private int limit;
  private long grantedAt;
  private Object primitive = this;

  /** By the clock of the host: when its time to live is over. Written under the monitor. */
  private volatile long ends = NEVER;

  /** By the clock of the host: until when the store is known to keep it. Written under the monitor. */
  private volatile long kept = NEVER;

  /** Written under the monitor. */
  private volatile State state = State.NEW;

  /** By the clock of the host: when it was lost. Written before the state says so. */
  private long lostAt;

  /** Guarded by this; null while there are none, and again once they have been started. */
  private @Nullable List<Consumer<? super LossReason>> callbacks;

  /**
   * What {@code task} of {@code host}, or a callback if that is null, asks {@code store} for; {@code probe} wants to know how long that is waited
   * for and held, unless it is null.
   */
  public HeldLease(
      LeaseStore store,
      RecentLosses losses,
      Terms terms,
      String id,
      int permits,
      Host host,
      @Nullable Object task,
      @Nullable Probe probe) {
    this.store = store;
    this.losses = losses;
    this.terms = terms;
    this.id = id;
    this.permits = permits;
    this.host = host;
    this.task = task;
    this.probe = probe;
    this.requestedAt = host.nanoTime();
  }

  // ---- for stores ----

  /**
   * It is granted. Called once.
   *
   * @param object what those who wait for the same name are shown to wait for
   * @param newSlots its slots, in order
   * @param newToken its token
   * @param newLimit the limit of the name
   * @param now the time of the grant, by the clock of its host
   * @param ttl how many nanoseconds it may last from then on
   * @param renewed how many of them the store keeps it without hearing of it
   */
  public synchronized void granted(
      Object object, int[] newSlots, long newToken, int newLimit, long now, long ttl, long renewed) {
    primitive = object;
    slots = newSlots;
    slot = newSlots[0];
    token = newToken;
    limit = newLimit;
    grantedAt = now;
    ends = after(now, ttl);
    kept = after(now, renewed);
    state = State.HELD;
  }

  /** The store keeps it until {@code time}, by the clock of its host, unless it ends before. */
  public synchronized void keptUntil(long time) {
    if (state == State.HELD && kept != NEVER && time - kept > 0) {
      kept = time;
    }
  }

  /** Puts its end off to so many nanoseconds from {@code now}. False: it is over, or has no end. */
  public synchronized boolean prolong(long now, long nanos) {
    if (state != State.HELD || ends == NEVER || ends - now <= 0) {
      return false;
    }
    long later = after(now, nanos);
    if (later == NEVER || later - ends > 0) {
      ends = later;
    }
    return true;
  }

  private static long after(long now, long nanos) {
    return nanos == NEVER ? NEVER : now + nanos;
  }

  /** When to look whether it is over, by the clock of its host; {@link Terms#NEVER} if it does not end by itself. */
  public long checkAt() {
    long end = ends;
    long renewed = kept;
    if (end == NEVER || renewed == NEVER) {
      return end == NEVER ? renewed : end;
    }
    return end - renewed < 0 ? end : renewed;
  }

  /** Has it looked at when it may be over; not at all if it does not end by itself. */
  public void watch(Deadlines deadlines) {
    long time = checkAt();
    if (time != NEVER) {
      deadlines.add(host, this, time);
    }
  }

  /** Brings it to its end if its time is over. False: it is not, or it has ended before; nothing changes. */
  public boolean endIfOver() {
    return finish(null);
  }

  /**
   * Brings it to its end. If it is lost, the holder is interrupted if that was asked for; the others are told {@linkplain #tellOfLoss later}.
   * False: it has ended before; nothing changes.
   */
  public boolean end(State how) {
    return finish(how);
  }

  private boolean finish(@Nullable State asked) {
    boolean lost;
    synchronized (this) {
      State how = asked == null ? byTime() : asked;
      if (state != State.HELD || how == State.HELD) {
        return false;
      }
      lost = how.loss().isPresent();
      if (lost) {
        lostAt = host.nanoTime();
      } else {
        callbacks = null;
      }
      state = how;
      if (lost) {
        losses.add(terms.name(), id);
        if (terms.onExpiry() == OnExpiry.INTERRUPT_HOLDER && task != null) {
          // In here: one who closes the lease must not be interrupted after that.
          host.interruptBlock(task);
        }
      }
    }
    Ledger.gave(primitive, permits);
    if (!lost) {
      held(host.nanoTime());
    }
    return true;
  }

  /**
   * Its permits have gone back: if it was lost, the callbacks are started and the log is written, all in tasks of their own, because whoever calls this
   * may have other leases to see to. Called once, by whoever has brought it to its end.
   */
  public void tellOfLoss() {
    Optional<LossReason> loss = state.loss();
    if (loss.isEmpty()) {
      return;
    }
    LossReason why = loss.get();
    List<Consumer<? super LossReason>> told;
    synchronized (this) {
      told = callbacks == null ? List.of() : callbacks;
      callbacks = null;
    }
    told.forEach(callback -> start(callback, why));
    try {
      Alarms.start(host, "baton-lease-lost", () -> writeDown(why));
    } catch (Throwable noTask) {
      writeDown(why);
    }
    Incidents.leaseLost(terms.name(), id, owner(), why.name(), store.kind(), lostAt - grantedAt);
  }

  private void writeDown(LossReason why) {
    LeaseLog.lost(this, why, store.kind());
    held(lostAt);
  }

  /** It was held until {@code end}. */
  private void held(long end) {
    if (probe != null && probe.isTimed()) {
      probe.held(end - grantedAt);
    }
  }

  /** Whoever asked for it had to wait, and does so no more. */
  public void waitEnded(boolean granted) {
    if (probe != null && probe.isTimed()) {
      probe.waited(host.nanoTime() - requestedAt, granted);
    }
  }

  private State byTime() {
    long now = host.nanoTime();
    if (ends != NEVER && ends - now <= 0) {
      return State.EXPIRED;
    }
    return kept != NEVER && kept - now <= 0 ? State.UNREACHABLE : State.HELD;
  }

  private void start(Consumer<? super LossReason> callback, LossReason why) {
    try {
      Alarms.start(host, "baton-lease-lost", () -> callback.accept(why));
    } catch (Throwable noTask) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, noTask);
    }
  }

  /** Gives back a lease that nobody was told of. */
  public void discard() {
    Ledger.took(primitive, permits);
    if (end(State.RELEASED)) {
      store.giveBack(this);
    }
  }

  /** How it is with it. */
  public State state() {
    return state;
  }

  /** What was asked for. */
  public Terms terms() {
    return terms;
  }

  /** The world of whoever asked for it. */
  public Host host() {
    return host;
  }

  /** Who asked for it; null if a callback did. */
  public @Nullable Object task() {
    return task;
  }

  /** Who asked for it, for people. */
  public String owner() {
    Object holder = task;
    return holder == null ? "future" : host.describe(holder);
  }

  /** Whoever asked for it, as one who has it. */
  public Held.Holder holder() {
    return new Held.Holder(host, task, permits);
  }

  /** Its slots, in order. Not to be changed. */
  public int[] slots() {
    return slots;
  }

  /** The limit of the name when it was granted. */
  public int limit() {
    return limit;
  }

  /** When it was asked for, by the clock of its host. */
  public long requestedAt() {
    return requestedAt;
  }

  /** When it was granted, by the clock of its host. */
  public long grantedAt() {
    return grantedAt;
  }

  /** What those who wait for the same name are shown to wait for. */
  public Object primitive() {
    return primitive;
  }

  @Override
  protected void due() {
    store.expire(this);
  }

  // ---- for the holder ----

  @Override
  public String id() {
    return id;
  }

  @Override
  public String name() {
    return terms.name();
  }

  @Override
  public String label() {
    return terms.label();
  }

  @Override
  public int permits() {
    return permits;
  }

  @Override
  public int slotNumber() {
    return slot;
  }

  @Override
  public long fencingToken() {
    return token;
  }

  @Override
  public Duration waited() {
    return Duration.ofNanos(Math.max(0, grantedAt - requestedAt));
  }

  @Override
  public Duration remaining() {
    SwitchPoints.reach(this);
    return isHeld() ? remainingAt(host.nanoTime()) : Duration.ZERO;
  }

  /** How long it lasts unless extended. */
  public Duration remainingAt(long now) {
    long end = ends;
    return end == NEVER ? FOREVER : Duration.ofNanos(Math.max(0, end - now));
  }

  @Override
  public boolean isValid() {
    SwitchPoints.reach(this);
    return isHeld();
  }

  private boolean isHeld() {
    if (state != State.HELD) {
      return false;
    }
    long end = checkAt();
    return end == NEVER || end - host.nanoTime() > 0;
  }

  @Override
  public Optional<LossReason> lost() {
    SwitchPoints.reach(this);
    lookAtTheClock();
    return state.loss();
  }

  @Override
  public boolean extend(Duration time) {
    requirePositive(time);
    SwitchPoints.reach(this);
    return isHeld() && store.extend(terms.name(), id, Terms.nanos(time));
  }

  @Override
  public boolean extend() {
    SwitchPoints.reach(this);
    return isHeld() && terms.ttl() != NEVER && store.extend(terms.name(), id, terms.ttl());
  }

  /** A lease is extended by some time. */
  public static void requirePositive(Duration time) {
    Objects.requireNonNull(time, "time");
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException("A lease is extended by some time, not " + time + ".");
    }
  }

  @Override
  public void onLost(Consumer<? super LossReason> callback) {
    Objects.requireNonNull(callback, "callback");
    SwitchPoints.reach(this);
    synchronized (this) {
      if (state == State.HELD) {
        if (callbacks == null) {
          callbacks = new ArrayList<>(1);
        }
        callbacks.add(callback);
        return;
      }
    }
    Optional<LossReason> loss = state.loss();
    if (loss.isPresent()) {
      store.settle(this);
      start(callback, loss.get());
    }
  }

  @Override
  public ReleaseResult release() {
    SwitchPoints.reach(this);
    return giveBack();
  }

  @Override
  public void close() {
    SwitchPoints.reach(this);
    giveBack();
  }

  /** One whose time is over may not say that it is held, or was released in time, even if nobody has looked yet. */
  private void lookAtTheClock() {
    if (state == State.HELD && !isHeld()) {
      store.expire(this);
    }
  }

  private ReleaseResult giveBack() {
    lookAtTheClock();
    if (end(State.RELEASED)) {
      store.giveBack(this);
      LeaseLog.released(this, store.kind());
      return ReleaseResult.RELEASED;
    }
    if (state == State.RELEASED) {
      return ReleaseResult.UNKNOWN;
    }
    // Whoever has found it over may not have come to that yet.
    store.settle(this);
    return ReleaseResult.EXPIRED;
  }

  @Override
  public String toString() {
    return "Lease[" + Terms.shown(terms.name()) + " " + id + ", slot " + slot + ", " + state + "]";
  }
}
