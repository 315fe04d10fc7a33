// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Lender;
import java.util.concurrent.atomic.AtomicInteger;

/** Virtual threads that borrow, do something, and give back. */
final class LenderCrowd extends Crowd {
  private final Lender lender;
  private final int limit;
  private final boolean yields;
  private final Turns turns;
  private final Thread[] threads;
  private final AtomicInteger inside = new AtomicInteger();

  /** If {@code yields}, each lets others run while it has a resource, so that many have one and all others wait. */
  LenderCrowd(Lender lender, int limit, int size, boolean yields, Turns turns) {
    super(size);
    this.lender = lender;
    this.limit = limit;
    this.yields = yields;
    this.turns = turns;
    threads = new Thread[size];
  }

  @Override
  void start() {
    for (int i = 0; i < size; i++) {
      int worker = i;
      threads[i] = Thread.ofVirtual().start(() -> work(worker));
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the only way to let others run, and not a hint for virtual threads
  private void work(int worker) {
    try {
      for (long round = 1; !stopped(); round++) {
        Object borrowed = lender.borrow();
        try {
          if (yields) {
            if (inside.incrementAndGet() > limit) {
              throw new IllegalStateException("more than " + limit + " have a resource");
            }
            Thread.yield();
            inside.decrementAndGet();
          }
          count(worker);
        } finally {
          lender.giveBack(borrowed);
        }
        if (turns.over(round)) {
          Thread.yield();
        }
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      ended();
    }
  }

  @Override
  void interrupt() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  void check() {
    Expect.equal("idle resources, of those that exist", lender.live(), lender.idle());
    Expect.equal("resources above the limit", 0, Math.max(0, lender.live() - limit));
  }
}
