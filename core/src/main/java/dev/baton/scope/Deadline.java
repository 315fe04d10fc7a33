// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Host;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a scope must have ended, if ever, and the one timer that says so. */
final class Deadline {
  private final Host host;

  // Written by the owner of the scope before it forks.
  private boolean set;
  private long time;

  // Guarded by this.
  private Host.@Nullable Timer timer;
  private @Nullable Object task;

  /** The deadline of a scope inside one with {@code outer}. */
  Deadline(Host host, @Nullable Deadline outer) {
    this.host = host;
    this.set = outer != null && outer.set;
    this.time = outer == null ? 0 : outer.time;
  }

  /** Brings the deadline forward to so many nanoseconds from now, unless it is earlier already. */
  void limitTo(long nanos) {
    long newTime = host.nanoTime() + nanos;
    if (!set || newTime - time < 0) {
      set = true;
      time = newTime;
      stopTimer();
    }
  }

  boolean isSet() {
    return set;
  }

  boolean isPast() {
    return set && time - host.nanoTime() <= 0;
  }

  /** Whether the time has come and the timer, which was started, may not have said so yet. */
  synchronized boolean isDue() {
    return timer != null && isPast();
  }

  /** How much time is left: empty if there is no deadline, zero if it has passed. */
  Optional<Duration> left() {
    return set ? Optional.of(Duration.ofNanos(Math.max(0, time - host.nanoTime()))) : Optional.empty();
  }

  /** Has {@code action} run when the time has come, by a timer that is started once. */
  synchronized void startTimer(Runnable action) {
    if (timer == null) {
      timer = host.schedule(time, action);
    }
  }

  synchronized void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Starts {@code action} as a task, unless the timer has been stopped. False: there is no thread for it. */
  synchronized boolean startTask(Runnable action) {
    try {
      if (timer != null) {
        task = host.start("baton-deadline", action);
      }
      return true;
    } catch (Throwable noThread) {
      return false;
    }
  }

  /** Waits, the timer being stopped, until nothing runs any more that it has started. */
  void awaitTask() {
    Object started = task();
    if (started != null) {
      host.awaitEnd(started);
    }
  }

  private synchronized @Nullable Object task() {
    return task;
  }
}
