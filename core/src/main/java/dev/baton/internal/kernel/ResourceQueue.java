// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Host;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resources that are lent out, up to a limit, those that lie idle, and those who wait.
 *
 * <p>A slot is the right to have one resource exist. Held under the lock, and true whenever it is free:
 *
 * <pre>
 *   live = idle + lent + transit ≤ limit        transit: slots whose resource is being made or destroyed
 * </pre>
 *
 * <ul>
 *   <li>If somebody waits, nothing lies idle, and every slot is taken.
 *   <li>A slot is given to somebody who may make a resource only if nothing lies idle.
 *   <li>Once closed, nobody waits and nothing lies idle.
 * </ul>
 *
 * <p>Nothing is made, looked at or destroyed in here: that is foreign code, and its slot waits for it.
 */
public final class ResourceQueue extends WaitQueue {
  /** What one is given who has to make the resource: the slot for it. */
  public static final Resource SLOT = new Resource("slot");

  /** What {@link #take} returns once closed. */
  public static final Resource ENDED = new Resource("ended");

  private final int limit;

  /** Gives back what was granted to one who has gone: a slot by {@link #giveSlot}, a resource by {@link #give}. */
  private final Consumer<Borrowing> unused;

  // Guarded by the lock.

  private int live;
  private int transit;
  private int idle;

  /** The one that was returned last, and the one that was returned first. */
  private @Nullable Resource newest;

  private @Nullable Resource oldest;

  private @Nullable Resource liveOnes;

  /** The host whose timer will look for those that are idle too long, or null. */
  private @Nullable Host watching;

  /** Written once, under the lock. */
  private volatile boolean closed;

  private long borrowed;
  private long made;
  private long notMade;
  private long destroyed;
  private long takenOut;
  private long evicted;
  private long expired;
  private long unhealthy;
  private long timedOut;

  /** A request for a resource. */
  public interface Borrowing {

    /** Whoever will have it. */
    Object holder();

    /** Gives it a resource, or a slot. Called under the lock, before it is granted. */
    void resource(Resource granted);

    /** What it was granted. */
    Resource resource();
  }

  /** Why a resource is destroyed. */
  public enum Reason {
    EVICTED,
    EXPIRED,
    UNHEALTHY,
    CLOSED
  }

  /** What became of a resource that was returned. */
  public enum Return {
    /** It was not held by the one who returned it; nothing has changed. */
    NOT_HELD,
    /** It lies idle, or somebody else has it. */
    DONE,
    /** It lies idle, and a timer must be set. */
    SET_TIMER,
    /** It must be destroyed, and then {@link #destroyed} be called. */
    DESTROY
  }

  /** Nothing exists yet. */
  public ResourceQueue(int limit, Consumer<Borrowing> unused) {
    this.limit = limit;
    this.unused = unused;
  }

  // ---- taking ----

  /** A resource for {@code holder} if one lies idle; else a SLOT if there is one; null if one has to wait; or ENDED. */
  public @Nullable Resource take(Object holder) {
    lock();
    Resource taken = closed ? ENDED : takeNow(holder);
    unlock();
    return taken;
  }

  /**
   * Serves {@code request}, or lets it wait.
   *
   * @return GRANTED (then it is claimed), CLOSED, or WAITING if it stands in line now, has just been decided, or was served elsewhere
   */
  public <R extends Request & Borrowing> int submit(R request) {
    lock();
    int outcome = WAITING;
    if (closed) {
      outcome = CLOSED;
    } else if (idle == 0 && live == limit) {
      enqueue(request);
    } else if (request.claim()) {
      grantTo(request);
      outcome = GRANTED;
    }
    unlock();
    return outcome;
  }

  private @Nullable Resource takeNow(Object holder) {
    Resource resource = newest;
    if (resource != null) {
      unlinkIdle(resource);
      resource.holder(holder);
      borrowed++;
      return resource;
    }
    if (live == limit) {
      return null;
    }
    live++;
    transit++;
    return SLOT;
  }

  /** There is something, and {@code request} is claimed. */
  private void grantTo(Request request) {
    Borrowing borrowing = (Borrowing) request;
    Resource taken = takeNow(borrowing.holder());
    if (taken == null) {
      throw new AssertionError("granted what is not there");
    }
    borrowing.resource(taken);
  }

  // ---- the slot and what is made for it ----

  /** {@code resource} was made for a slot, and {@code holder} has it. */
  public void made(Resource resource, Object holder) {
    lock();
    transit--;
    made++;
    borrowed++;
    resource.holder(holder);
    resource.nextLive = liveOnes;
    if (liveOnes != null) {
      liveOnes.previousLive = resource;
    }
    liveOnes = resource;
    unlock();
  }

  /** A slot was not used: {@code failed} if its resource could not be made. */
  public void giveSlot(boolean failed) {
    lock();
    if (failed) {
      notMade++;
    }
    freeSlot();
    reconsider();
    unlockAndWake();
  }

  /**
   * {@code resource}, which {@code holder} has been given, will not do, and is destroyed by now: another one in its place.
   *
   * @return one that lies idle; else SLOT; or ENDED
   */
  public Resource replace(Resource resource, Object holder) {
    lock();
    count(resource, Reason.UNHEALTHY);
    Resource other = SLOT;
    if (closed || newest != null) {
      freeSlot();
      Resource taken = closed ? ENDED : takeNow(holder);
      other = taken == null ? SLOT : taken;
    }
    reconsider();
    unlockAndWake();
    return other;
  }

  // ---- giving ----

  /** {@code holder} returns {@code resource}: to the first who waits, or to those that lie idle; {@code clock} if their age counts. */
  public Return give(Resource resource, Object holder, @Nullable Host clock) {
    long now = clock == null ? 0 : clock.nanoTime();
    lock();
    if (resource.holder() != holder) {
      unlock();
      return Return.NOT_HELD;
    }
    resource.holder(null);
    if (closed) {
      transit++;
      unlock();
      return Return.DESTROY;
    }
    Return result = Return.DONE;
    linkIdle(resource);
    reconsider();
    if (clock != null && resource.holder() == null) {
      resource.clock = clock;
      resource.idleSince = now;
      if (watching != clock) {
        watching = clock;
        result = Return.SET_TIMER;
      }
    }
    unlockAndWake();
    return result;
  }

  /** {@code holder} keeps {@code resource} for good, and its slot is free. False: it does not have it. */
  public boolean takeOut(Resource resource, Object holder) {
    lock();
    if (resource.holder() != holder) {
      unlock();
      return false;
    }
    resource.holder(null);
    unlinkLive(resource);
    takenOut++;
    live--;
    reconsider();
    unlockAndWake();
    return true;
  }

  /** {@code resource} is about to be destroyed by {@code holder}; its slot is taken until it is. False: it does not have it. */
  public boolean detach(Resource resource, Object holder) {
    lock();
    boolean held = resource.holder() == holder;
    if (held) {
      resource.holder(null);
      transit++;
    }
    unlock();
    return held;
  }

  /** {@code resource} was destroyed, or that was tried: its slot is free. */
  public void destroyed(Resource resource, Reason reason) {
    lock();
    count(resource, reason);
    freeSlot();
    reconsider();
    unlockAndWake();
  }

  private void count(Resource resource, Reason reason) {
    unlinkLive(resource);
    destroyed++;
    switch (reason) {
      case EVICTED -> evicted++;
      case EXPIRED -> expired++;
      case UNHEALTHY -> unhealthy++;
      case CLOSED -> {}
    }
  }

  private void freeSlot() {
    transit--;
    live--;
  }

  /** Serves from the front, as long as there is something. */
  @Override
  protected void reconsider() {
    while (!closed && first() != null && (idle > 0 || live < limit)) {
      Request request = poll();
      if (request == null) {
        return;
      }
      if (request.claim()) {
        grantTo(request);
        decide(request, GRANTED);
      } else {
        request.queued = false;
      }
    }
  }

  /** Whoever is next is awake when the resource comes: it often comes soon. */
  @Override
  protected @Nullable Request nextInLine() {
    return first();
  }

  /** What was granted goes back, and so to the next. */
  @Override
  protected void giveUp(Request request) {
    if (request.outcome() == GRANTED) {
      unused.accept((Borrowing) request);
    }
  }

  // ---- those that lie idle ----

  private void linkIdle(Resource resource) {
    resource.older = newest;
    resource.newer = null;
    if (newest == null) {
      oldest = resource;
    } else {
      newest.newer = resource;
    }
    newest = resource;
    idle++;
  }

  private void unlinkIdle(Resource resource) {
    Resource older = resource.older;
    Resource newer = resource.newer;
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    resource.older = null;
    resource.newer = null;
    idle--;
  }

  private void unlinkLive(Resource resource) {
    Resource after = resource.nextLive;
    Resource before = resource.previousLive;
    if (before == null) {
      liveOnes = after;
    } else {
      before.nextLive = after;
    }
    if (after != null) {
      after.previousLive = before;
    }
    resource.nextLive = null;
    resource.previousLive = null;
  }

  /** Takes out the one that lies idle longest, to be destroyed; or returns null. */
  public @Nullable Resource detachIdle() {
    lock();
    Resource resource = oldest;
    if (resource != null) {
      unlinkIdle(resource);
      transit++;
    }
    unlock();
    return resource;
  }

  /** Takes out one that has lain idle so long by the clock of {@code host}, to be destroyed; or returns null. */
  public @Nullable Resource detachExpired(Host host, long maxIdle) {
    long now = host.nanoTime();
    lock();
    Resource resource = oldestOf(host);
    if (resource != null && now - resource.idleSince < maxIdle) {
      resource = null;
    }
    if (resource != null) {
      unlinkIdle(resource);
      transit++;
    }
    unlock();
    return resource;
  }

  /**
   * Since when the oldest one by the clock of {@code host} lies idle. Null if there is none, or another host keeps watch by now; then
   * {@code host} does not any more.
   */
  public @Nullable Long idleSince(Host host) {
    lock();
    Resource resource = watching == host ? oldestOf(host) : null;
    boolean any = resource != null;
    long since = any ? resource.idleSince : 0;
    if (!any && watching == host) {
      watching = null;
    }
    unlock();
    return any ? since : null;
  }

  private @Nullable Resource oldestOf(Host host) {
    Resource resource = oldest;
    while (resource != null && resource.clock != host) {
      resource = resource.newer;
    }
    return resource;
  }

  // ---- the end ----

  /** Refuses all who wait and all who come. What lies idle can then be detached, what is lent still be returned. */
  public void close() {
    lock();
    closed = true;
    for (Request request = poll(); request != null; request = poll()) {
      request.queued = false;
      if (request.claim()) {
        decide(request, CLOSED);
      }
    }
    unlockAndWake();
  }

  /** Whether {@link #close} has been called. */
  public boolean isClosed() {
    return closed;
  }

  // ---- looking ----

  /** Somebody has waited in vain. */
  public void countTimeOut() {
    lock();
    timedOut++;
    unlock();
  }

  /** How many stand in line. */
  public int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }

  /** Who has a resource, in no particular order. */
  public List<Object> holders() {
    Object[] holders = {};
    while (true) {
      lock();
      int existing = live;
      if (existing <= holders.length) {
        int count = 0;
        for (Resource r = liveOnes; r != null; r = r.nextLive) {
          Object holder = r.holder();
          if (holder != null) {
            holders[count++] = holder;
          }
        }
        unlock();
        return List.of(Arrays.copyOf(holders, count));
      }
      unlock();
      // Nothing is allocated under the lock: make room out here.
      holders = new Object[existing + 4];
    }
  }

  /** One consistent instant. */
  public State state() {
    lock();
    int liveNow = live;
    int idleNow = idle;
    int transitNow = transit;
    int waiting = size();
    boolean closedNow = closed;
    long borrowedNow = borrowed;
    long madeNow = made;
    long notMadeNow = notMade;
    long destroyedNow = destroyed;
    long takenOutNow = takenOut;
    long evictedNow = evicted;
    long expiredNow = expired;
    long unhealthyNow = unhealthy;
    long timedOutNow = timedOut;
    unlock();
    return new State(
        limit,
        liveNow,
        idleNow,
        transitNow,
        waiting,
        closedNow,
        borrowedNow,
        madeNow,
        notMadeNow,
        destroyedNow,
        takenOutNow,
        evictedNow,
        expiredNow,
        unhealthyNow,
        timedOutNow);
  }

  /** What a {@link ResourceQueue} looked like at one instant. */
  public record State(
      int limit,
      int live,
      int idle,
      int transit,
      int waiting,
      boolean closed,
      long borrowed,
      long made,
      long notMade,
      long destroyed,
      long takenOut,
      long evicted,
      long expired,
      long unhealthy,
      long timedOut) {}
}
