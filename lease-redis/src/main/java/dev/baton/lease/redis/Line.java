// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Held;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.Terms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process who wait for one name, in order, and the timer that looks for them: messages may be lost, and where nobody releases
 * somebody has to find out whose time is over. One look for all of them, however many they are. It is also what holders and waiters are shown
 * to hold and to wait for, so it is the same for all of them as long as there is one.
 */
final class Line extends Deadlines.Entry implements Held {
  private final Requests requests;
  private final Timers timers;
  private final String name;

  // Guarded by this.
  private final Map<String, LeaseRequest> waiting = new LinkedHashMap<>();
  private int holders;
  private boolean set;
  private long next;

  Line(Requests requests, Timers timers, String name) {
    this.requests = requests;
    this.timers = timers;
    this.name = name;
  }

  /** {@code request} stands in line; the next look is in so many nanoseconds, or sooner. */
  void add(LeaseRequest request, long nanos) {
    synchronized (this) {
      waiting.putIfAbsent(request.lease().id(), request);
      requests.begins(this);
    }
    lookIn(nanos);
  }

  /** {@code request} is not in line any more; {@code holds}: but has what it asked for. */
  synchronized void remove(LeaseRequest request, boolean holds) {
    boolean stood = waiting.remove(request.lease().id()) != null;
    if (holds) {
      holders++;
    }
    if (waiting.isEmpty()) {
      end(stood);
    } else if (stood && !set) {
      // The one who was looked for has gone: somebody must look for the others.
      lookIn(requests.look());
    }
  }

  /** One who had what it asked for has it no more. */
  synchronized void left() {
    holders--;
    end(false);
  }

  private void end(boolean stood) {
    if (waiting.isEmpty()) {
      if (stood) {
        requests.ends(this);
      }
      if (holders == 0) {
        requests.forget(this, name);
      }
    }
  }

  synchronized boolean contains(LeaseRequest request) {
    return waiting.containsKey(request.lease().id());
  }

  /** Looks in so many nanoseconds, or sooner. */
  void lookIn(long nanos) {
    long time = timers.now() + nanos;
    synchronized (this) {
      if (waiting.isEmpty() || (set && next - time <= 0)) {
        return;
      }
      set = true;
      next = time;
      timers.at(time, this);
    }
  }

  private synchronized @Nullable LeaseRequest oldest() {
    set = false;
    return waiting.isEmpty() ? null : waiting.values().iterator().next();
  }

  synchronized List<LeaseRequest> all() {
    return new ArrayList<>(waiting.values());
  }

  /** Those of this process only: who else has it is known to the server. */
  @Override
  public List<Holder> heldBy() {
    return requests.heldOf(this);
  }

  @Override
  protected void due() {
    LeaseRequest oldest = oldest();
    if (oldest != null) {
      requests.askAgain(oldest);
    }
  }

  @Override
  public String toString() {
    return "LeaseSemaphore[" + Terms.shown(name) + "]";
  }
}
