// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.memory;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Callbacks;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.LeaseRequest;
import org.jspecify.annotations.Nullable;

/** What was decided in a critical section and is seen to after it: timers are set, then those who wait are told, in order. */
final class Wakes {
  private @Nullable LeaseRequest now;
  private @Nullable Decided first;
  private @Nullable Decided last;

  /** One that was decided: failed if there is a failure, else granted. */
  private static final class Decided {
    final LeaseRequest request;
    final @Nullable RuntimeException failure;
    @Nullable Decided next;

    Decided(LeaseRequest request, @Nullable RuntimeException failure) {
      this.request = request;
      this.failure = failure;
    }
  }

  /** The caller's own request was granted without waiting: it need not be woken. */
  void grantedNow(LeaseRequest request) {
    now = request;
  }

  void granted(LeaseRequest request) {
    append(new Decided(request, null));
  }

  void failed(LeaseRequest request, RuntimeException failure) {
    append(new Decided(request, failure));
  }

  private void append(Decided decided) {
    if (last == null) {
      first = decided;
    } else {
      last.next = decided;
    }
    last = decided;
  }

  /**
   * Tells them. The timer of a lease runs before its holder knows of it.
   *
   * @param elsewhere whether callbacks run in tasks of their own, because the caller has more to do
   */
  void run(Deadlines deadlines, boolean elsewhere) {
    LeaseRequest own = now;
    if (own != null) {
      own.lease().watch(deadlines);
      own.decide(GRANTED);
    }
    for (Decided decided = first; decided != null; decided = decided.next) {
      if (decided.failure == null) {
        decided.request.lease().watch(deadlines);
        decided.request.decide(GRANTED);
      } else {
        decided.request.fail(decided.failure);
      }
    }
    // Tasks first: the callbacks of the others may wait for them.
    for (Decided decided = first; decided != null; decided = decided.next) {
      if (!decided.request.runsCallbacks()) {
        decided.request.wake();
      }
    }
    for (Decided decided = first; decided != null; decided = decided.next) {
      LeaseRequest request = decided.request;
      if (request.runsCallbacks()) {
        if (elsewhere) {
          Callbacks.start(request.host(), request::wake);
        } else {
          Callbacks.run(request.host(), request::wake);
        }
      }
    }
  }
}
