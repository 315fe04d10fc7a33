// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.WaitQueue;
import org.jspecify.annotations.Nullable;

/**
 * The latest version of a value, and those who wait for the next.
 *
 * <p>Whoever waits has been told of the version that is there; a new one ends all waits.
 */
final class WatchQueue extends WaitQueue {
  /** Written under the lock. */
  private volatile Version latest;

  /** Written under the lock, once. */
  private volatile boolean closed;

  /** A value, and its place among those that were set. */
  static final class Version {
    private final Object value;

    /** How many came before. Written under the lock, before anybody else sees it. */
    private long number;

    Version(Object value) {
      this.value = value;
    }

    Object value() {
      return value;
    }

    long number() {
      return number;
    }
  }

  /** Up to which version somebody has seen. Written under the lock. */
  static final class Mark {
    private volatile long seen;

    Mark(Version seen) {
      this.seen = seen.number;
    }

    long seen() {
      return seen;
    }
  }

  /** A request for a version later than the one it knows. */
  interface Watching {

    /** The last version it knows. */
    long known();

    /** What to set to the version it is given, if anything. */
    @Nullable Mark mark();

    /** Gives it the version. Called under the lock, before it is granted. */
    void version(Version version);
  }

  WatchQueue(Object initial) {
    latest = new Version(initial);
  }

  Version latest() {
    return latest;
  }

  boolean isClosed() {
    return closed;
  }

  /** Sets the value; but not if {@code expected} is given and is not the latest any more. False: it is so, or closed. */
  boolean set(@Nullable Version expected, Version next) {
    lock();
    boolean fits = !closed && (expected == null || expected == latest);
    if (fits) {
      next.number = latest.number + 1;
      latest = next;
      for (Request request = pollClaimed(); request != null; request = pollClaimed()) {
        give((Watching) request, next);
        decide(request, GRANTED);
      }
    }
    unlockAndWake();
    return fits;
  }

  /** Ends all waits. The value stays. */
  void close() {
    lock();
    closed = true;
    for (Request request = poll(); request != null; request = poll()) {
      // A selection is not claimed for that: it goes on without it as long as it has others.
      decide(request, CLOSED);
    }
    unlockAndWake();
  }

  /** The latest version, if it is later than {@code mark}, which is then set to it; otherwise null. */
  @Nullable Version pollUnseen(Mark mark) {
    // The mark first: it never passes the latest, so that there was nothing new when that was read.
    if (mark.seen == latest.number) {
      return null;
    }
    lock();
    Version found = latest.number > mark.seen ? latest : null;
    mark.seen = latest.number;
    unlock();
    return found;
  }

  /** Notes that {@code version} was seen. */
  void see(Mark mark, Version version) {
    lock();
    mark.seen = Math.max(mark.seen, version.number);
    unlock();
  }

  /** Gives {@code request} a later version than it knows, or lets it wait: GRANTED, CLOSED or WAITING. */
  <R extends Request & Watching> int submit(R request) {
    lock();
    int outcome = WAITING;
    if (latest.number > request.known()) {
      give(request, latest);
      outcome = GRANTED;
    } else if (closed) {
      outcome = CLOSED;
    } else {
      enqueue(request);
    }
    unlock();
    return outcome;
  }

  /** Lets a request of a selection, which others may claim at any time, be served or wait. */
  <R extends SelectRequest & Watching> void submitSelected(R request) {
    lock();
    if (!request.selection().isClaimed()) {
      if (latest.number > request.known()) {
        if (request.selection().claim()) {
          give(request, latest);
          decide(request, GRANTED);
        }
      } else if (closed) {
        decide(request, CLOSED);
      } else {
        enqueue(request);
      }
    }
    unlockAndWake();
  }

  private static void give(Watching request, Version version) {
    Mark mark = request.mark();
    if (mark != null) {
      mark.seen = version.number;
    }
    request.version(version);
  }

  int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }
}
