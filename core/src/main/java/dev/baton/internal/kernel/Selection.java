// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.threads.Spinning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One wait of a task for several things, of which it takes exactly one.
 *
 * <pre>
 *   OPEN ──claim──▶ CLAIMED               by whoever serves one of its requests, or by the task that gives up
 *    │ ▲              ▲
 *    ▼ └──no, after all
 *   TENTATIVE ────────┘                   while somebody finds out whether the other side, a selection too, can be claimed
 * </pre>
 *
 * <p>Its requests stand in the queues of different primitives. Whoever serves one claims the selection first, under the lock of its
 * own queue; the requests in the other queues are dead from then on, hold nothing, and are withdrawn by the task. Two selections
 * that meet are claimed in a fixed order, so nobody waits in a circle; TENTATIVE lasts a few instructions.
 */
public final class Selection extends Waiter {
  private static final int OPEN = 0;
  private static final int TENTATIVE = 1;
  private static final int CLAIMED = 2;

  private static final AtomicLong ORDERS = new AtomicLong();
  private static final VarHandle CLAIM = Fields.find(MethodHandles.lookup(), "claim", int.class);
  private static final VarHandle ORDER = Fields.find(MethodHandles.lookup(), "order", long.class);
  private static final VarHandle LIVE = Fields.find(MethodHandles.lookup(), "live", int.class);

  private volatile int claim;

  /** Its place in the order in which selections are claimed; 0 until it first meets another one. */
  private volatile long order;

  /** How many of its requests could still be served. */
  @SuppressWarnings("UnusedVariable") // through the handle
  private volatile int live;

  private volatile @Nullable Request winner;

  /** What became of an attempt to claim two selections together. */
  enum Pair {
    BOTH,
    /** The first one had been claimed before; the second is as it was. */
    FIRST_IS_DEAD,
    /** The second one had been claimed before; the first is as it was. */
    SECOND_IS_DEAD
  }

  /** A wait of the calling task for {@code requests} things. */
  public Selection(int requests) {
    this(Hosts.current(), requests);
  }

  private Selection(Host host, int requests) {
    super(host, host.currentTask());
    live = requests;
  }

  /** Claims it. True for one caller only. */
  public boolean claim() {
    return move(CLAIMED);
  }

  /** Whether somebody has claimed it. */
  public boolean isClaimed() {
    return claim == CLAIMED;
  }

  private boolean move(int to) {
    while (true) {
      if (CLAIM.compareAndSet(this, OPEN, to)) {
        return true;
      }
      if (claim == CLAIMED) {
        return false;
      }
      // Whoever is about to decide it has a core. The caller may hold the lock of a queue, and must not give up its own: virtual
      // threads that wait for that lock, yielding to each other, might keep it from ever having one again.
      Thread.onSpinWait();
    }
  }

  /** Claims both, or neither. */
  static Pair claimBoth(Selection first, Selection second) {
    boolean inOrder = first.order() < second.order();
    Selection lower = inOrder ? first : second;
    Selection upper = inOrder ? second : first;
    if (!lower.move(TENTATIVE)) {
      return inOrder ? Pair.FIRST_IS_DEAD : Pair.SECOND_IS_DEAD;
    }
    if (upper.claim()) {
      lower.claim = CLAIMED;
      return Pair.BOTH;
    }
    lower.claim = OPEN;
    return inOrder ? Pair.SECOND_IS_DEAD : Pair.FIRST_IS_DEAD;
  }

  private long order() {
    long mine = order;
    if (mine == 0) {
      ORDER.compareAndSet(this, 0L, ORDERS.incrementAndGet());
      mine = order;
    }
    return mine;
  }

  /** {@code request}, whose queue has claimed this, was decided. Called with no lock held. */
  public void served(Request request) {
    winner = request;
    decide(request.outcome());
    wake();
  }

  /** The task gives up. True: nobody serves it, it is over. False: somebody does, or has done so. */
  public boolean giveUp() {
    if (!claim()) {
      return false;
    }
    decide(REFUSED);
    return true;
  }

  /** One of the requests can never be served any more. When that is true of all, the wait ends as CLOSED. */
  public void ended() {
    if ((int) LIVE.getAndAdd(this, -1) == 1 && claim()) {
      decide(CLOSED);
      wake();
    }
  }

  @Override
  protected boolean spins() {
    if (!Spinning.pays()) {
      return false;
    }
    boolean decided = spin();
    Spinning.tried(decided);
    return decided;
  }

  /** The request that was served, once decided; null if none was. */
  public @Nullable Request winner() {
    return winner;
  }
}
