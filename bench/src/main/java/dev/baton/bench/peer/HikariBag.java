// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import com.zaxxer.hikari.util.ConcurrentBag;
import com.zaxxer.hikari.util.ConcurrentBag.IConcurrentBagEntry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What HikariCP keeps its connections in, without the rest of that pool: it makes and checks nothing, all entries are there from the
 * start, and who comes may overtake who waits.
 */
final class HikariBag implements Lender {
  private static final long PATIENCE_SECONDS = 30;

  private final ConcurrentBag<Entry> bag = new ConcurrentBag<>(waiting -> {});

  HikariBag(int limit) {
    for (int i = 0; i < limit; i++) {
      bag.add(new Entry());
    }
  }

  @Override
  public Object borrow() throws InterruptedException {
    Entry entry = bag.borrow(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (entry == null) {
      throw new IllegalStateException("nothing came back in time");
    }
    return entry;
  }

  @Override
  public void giveBack(Object borrowed) {
    bag.requite((Entry) borrowed);
  }

  @Override
  public int live() {
    return bag.size();
  }

  @Override
  public int idle() {
    return bag.getCount(IConcurrentBagEntry.STATE_NOT_IN_USE);
  }

  private static final class Entry implements IConcurrentBagEntry {
    private final AtomicInteger state = new AtomicInteger();

    @Override
    public boolean compareAndSet(int expected, int newState) {
      return state.compareAndSet(expected, newState);
    }

    @Override
    public void setState(int newState) {
      state.set(newState);
    }

    @Override
    public int getState() {
      return state.get();
    }
  }
}
