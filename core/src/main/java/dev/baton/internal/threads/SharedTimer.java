// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.threads;

import dev.baton.host.Host.Timer;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one timer thread of the JVM: started by the first timer, gone after it has had nothing to do for a while. */
final class SharedTimer {
  private static final long IDLE_SECONDS = 10;
  private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

  private SharedTimer() {}

  static Timer schedule(long nanos, Runnable action) {
    Future<?> pending = EXECUTOR.schedule(action, nanos, TimeUnit.NANOSECONDS);
    return () -> pending.cancel(false);
  }

  private static ScheduledThreadPoolExecutor executor() {
    var executor =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("baton-timer").factory());
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    // A withdrawn timer leaves the heap at once: millions of them may be set and withdrawn.
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }
}
