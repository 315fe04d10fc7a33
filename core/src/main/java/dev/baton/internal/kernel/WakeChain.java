// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Requests decided in one critical section, in order, linked through themselves, to be woken after it. */
final class WakeChain {
  private @Nullable Request first;
  private @Nullable Request last;

  /** Decides {@code request}, which has left its queue: its links are free. */
  void add(Request request, int outcome) {
    if (last == null) {
      first = request;
    } else {
      last.next = request;
    }
    last = request;
    request.decide(outcome);
  }

  /** Empties the chain; what it returns goes to {@link #wake}. */
  @Nullable Request take() {
    Request chain = first;
    first = null;
    last = null;
    return chain;
  }

  /**
   * Wakes in order, with no lock held; an error skips nobody and surfaces once. Tasks come before callbacks, which are foreign
   * code and may wait for one of those tasks.
   */
  static void wake(@Nullable Request chain, @Nullable Request nextInLine) {
    Throwable failure = null;
    for (Request r = chain; r != null; r = r.next) {
      if (r.task() != null) {
        failure = wake(r, failure);
      }
    }
    if (nextInLine != null) {
      nextInLine.wakeEarly();
    }
    for (Request r = chain, after; r != null; r = after) {
      after = r.next;
      // Whoever keeps one of them must not keep all.
      r.next = null;
      if (r.task() == null) {
        failure = wake(r, failure);
      }
    }
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  private static @Nullable Throwable wake(Request request, @Nullable Throwable failure) {
    try {
      request.wake();
      return failure;
    } catch (Throwable t) {
      return Failures.join(failure, t);
    }
  }
}
