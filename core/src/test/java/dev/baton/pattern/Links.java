// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes links, as if to another machine, and counts those that exist. */
final class Links implements Callable<Links.Link> {
  final AtomicInteger made = new AtomicInteger();
  final AtomicInteger live = new AtomicInteger();
  final AtomicInteger mostLive = new AtomicInteger();
  final List<Link> closed = new CopyOnWriteArrayList<>();

  @Override
  public Link call() {
    mostLive.accumulateAndGet(live.incrementAndGet(), Math::max);
    return new Link(made.incrementAndGet());
  }

  /** A link. */
  final class Link implements AutoCloseable {
    final int number;
    final AtomicInteger users = new AtomicInteger();
    volatile boolean broken;

    Link(int number) {
      this.number = number;
    }

    /** Fails if somebody else uses it at the same time, or it is closed. */
    void use() {
      begin();
      end();
    }

    void begin() {
      if (users.incrementAndGet() != 1 || closed.contains(this)) {
        throw new AssertionError(this + " is used by two, or after its end");
      }
    }

    void end() {
      users.decrementAndGet();
    }

    @Override
    public void close() {
      if (users.get() != 0 || closed.contains(this)) {
        throw new AssertionError(this + " is destroyed twice, or while it is used");
      }
      closed.add(this);
      live.decrementAndGet();
    }

    @Override
    public String toString() {
      return "link " + number;
    }
  }
}
