// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.Frames;
import dev.baton.internal.jfr.Flight;
import dev.baton.internal.observe.Taker;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * What is left of a {@link Permit} that nobody can close any more. Made only while a flight recording wants to know; stands with the semaphore in
 * the place of the permit, which nothing keeps alive then. If the semaphore is gone too, nobody misses the permits, and nobody is told.
 */
final class Leash extends PhantomReference<Permit> {
  private static final ReferenceQueue<Permit> LOST = new ReferenceQueue<>();

  /** Begins with the first leash: only then there is a recorder to ask. */
  private static final class Looks {
    static {
      // By the thread of the recorder: Baton has none that could.
      Flight.lookForLeaks(Leash::look);
    }

    private Looks() {}

    static void begin() {
      // by being loaded
    }
  }

  private final Semaphore semaphore;
  private final Object taker;

  /** How many permits the object had when that last changed. */
  private volatile long count;

  private Leash(Permit permit, Semaphore semaphore, Object taker, long count) {
    super(permit, LOST);
    this.semaphore = semaphore;
    this.taker = taker;
    this.count = count;
  }

  /** What {@code permit}, which {@code taker} takes, has to keep of that: a leash if anybody looks for leaks. */
  static Object of(Permit permit, Semaphore semaphore, Object taker, long count) {
    if (!Flight.recordsLeaks()) {
      return taker;
    }
    Looks.begin();
    return new Leash(permit, semaphore, taker, count);
  }

  /** The one who took the permits. */
  static Object taker(Object kept) {
    return kept instanceof Leash leash ? leash.taker : kept;
  }

  /** What stands for {@code permit} with its semaphore. */
  static Object entry(Permit permit, Object kept) {
    return kept instanceof Leash ? kept : permit;
  }

  Object taker() {
    return taker;
  }

  long count() {
    return count;
  }

  /** The count of {@code permit} has changed. One at a time, so that the last has read the latest. */
  synchronized void count(Permit permit) {
    count = permit.count();
  }

  /** Tells of all that were lost since the last time. */
  static void look() {
    for (Reference<? extends Permit> lost = LOST.poll(); lost != null; lost = LOST.poll()) {
      ((Leash) lost).tell();
    }
  }

  private void tell() {
    long permits = count;
    if (permits > 0) {
      Object task = Taker.task(taker);
      StackTraceElement line = Frames.line(Taker.stack(taker));
      Flight.permitLeaked(
          semaphore,
          semaphore.name(),
          permits,
          task == null ? "a future" : Taker.host(taker).describe(task),
          line == null ? "" : line.toString());
    }
  }
}
