// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.QueueState;
import dev.baton.internal.kernel.Request;
import org.jspecify.annotations.Nullable;

/** The calls of {@link PermitSpec}, made on the kernel. A wait is a request that nobody sleeps on, so it ends when told to. */
class KernelOperations {
  private final PermitQueue queue;

  /** One request per thread, touched by that thread alone. */
  private final @Nullable Pending[] pending = new Pending[8];

  /** What each thread took or was granted and has not returned. */
  private final long[] owned = new long[8];

  KernelOperations(long limit) {
    queue = new PermitQueue(limit, limit);
  }

  /** Granted at once if there is no request. Not a record: Lincheck cannot follow their fields. */
  private static final class Pending {
    final long need;
    final @Nullable Request request;

    Pending(long need, @Nullable Request request) {
      this.need = need;
      this.request = request;
    }
  }

  String startRequest(int thread, long n) {
    if (pending[thread] != null) {
      return "BUSY";
    }
    Request request = new Request(n);
    boolean registered = n == 1;
    int outcome;
    if (registered) {
      outcome = queue.takeOne() ? GRANTED : queue.enqueue(request, true);
    } else if (n > queue.limit()) {
      outcome = queue.isClosed() ? CLOSED : REFUSED;
    } else {
      outcome = queue.tryTake(n) ? GRANTED : queue.enqueue(request, false);
    }
    if (outcome == GRANTED || outcome == WAITING) {
      pending[thread] = new Pending(n, outcome == WAITING ? request : null);
      return "STARTED";
    }
    return name(outcome);
  }

  String endByTimeOut(int thread) {
    Pending mine = pending[thread];
    pending[thread] = null;
    if (mine == null) {
      return "NONE";
    }
    Request request = mine.request;
    if (request != null && queue.cancel(request)) {
      return "TIMED_OUT";
    }
    int outcome = request == null ? GRANTED : request.outcome();
    if (outcome == GRANTED) {
      owned[thread] += mine.need;
    }
    return name(outcome);
  }

  void endByInterrupt(int thread) {
    Pending mine = pending[thread];
    pending[thread] = null;
    if (mine != null) {
      if (mine.request == null) {
        queue.give(mine.need);
      } else {
        queue.leave(mine.request);
      }
    }
  }

  boolean takeIfFree(long n) {
    return queue.tryTake(n);
  }

  boolean takeOwnIfFree(int thread, long n) {
    boolean taken = queue.tryTake(n);
    if (taken) {
      owned[thread] += n;
    }
    return taken;
  }

  boolean giveBackOwn(int thread) {
    long n = owned[thread];
    owned[thread] = 0;
    return n == 0 || queue.give(n);
  }

  boolean giveBack(long n) {
    return queue.give(n);
  }

  boolean setLimit(long limit) {
    return queue.resize(limit);
  }

  long forgetFree(long n) {
    return queue.forgetFree(n, true);
  }

  void closeQueue() {
    queue.close();
  }

  long free() {
    return queue.available();
  }

  boolean addsUp() {
    QueueState s = queue.state();
    if (s.closed()) {
      return s.free() == 0 && s.reserved() == 0 && s.held() >= 0;
    }
    // Above the limit: a wrong return that is about to be taken back by its caller.
    long excess = Math.max(0, s.free() - s.limit());
    return s.free() + s.reserved() + s.held() == s.limit() + s.debt()
        && s.held() >= -excess
        && s.limit() >= 0
        && (s.reserved() == 0 || s.debt() == 0)
        && queue.available() >= 0
        && queue.waiting() >= 0;
  }

  private static String name(int outcome) {
    return switch (outcome) {
      case GRANTED -> "GRANTED";
      case CLOSED -> "CLOSED";
      case REFUSED -> "REFUSED";
      default -> "UNDECIDED";
    };
  }
}
