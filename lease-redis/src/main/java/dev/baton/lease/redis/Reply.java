// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.lease.BackendUnavailableException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waits for an answer of Redis, in whatever world the caller lives. */
final class Reply extends Waiter {
  private Reply(Host host) {
    super(host, host.currentTask());
  }

  /** The answer; null if there is none in time, or an error instead. Interrupts are ignored. */
  static <T> @Nullable T orNull(CompletableFuture<T> answer, long nanos) {
    if (!answer.isDone()) {
      Reply wait = new Reply(Hosts.current());
      answer.whenComplete(
          (value, failure) -> {
            wait.decide(GRANTED);
            wait.wake();
          });
      wait.await("an answer of Redis", false, nanos);
    }
    return answer.isDone() && !answer.isCompletedExceptionally() ? answer.getNow(null) : null;
  }

  /**
   * The answer.
   *
   * @throws BackendUnavailableException if there is none in time, or an error instead
   */
  static <T> T of(CompletableFuture<T> answer, long nanos, String what) {
    T value = orNull(answer, nanos);
    if (value != null) {
      return value;
    }
    Throwable why = answer.isDone() ? answer.exceptionNow() : null;
    throw Errors.unavailable(what, why);
  }
}
