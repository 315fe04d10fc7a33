// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import dev.baton.runtime.Stall;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Describes tasks that do not come back. */
final class Stalls {
  private Stalls() {}

  /** What a task that has the turn and does not give it up is doing. */
  static Stall of(CooperativeTask task, long nanos) {
    Thread thread = task.thread;
    String reason =
        thread != null && thread.getState() == Thread.State.RUNNABLE
            ? Stall.COMPUTES
            : "waits outside of Baton while it has the turn";
    return of(task, reason, nanos);
  }

  static Stall of(CooperativeTask task, String reason, long nanos) {
    Thread thread = task.thread;
    List<StackTraceElement> stack = thread == null ? List.of() : Frames.fromOperation(Arrays.asList(thread.getStackTrace()));
    return new Stall(task.name(), reason, Duration.ofNanos(nanos), stack);
  }
}
