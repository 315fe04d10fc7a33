// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task that was handed to an executor.
 *
 * <pre>
 *   NEW ──▶ RUNNING ──▶ ENDED
 *    │         └──▶ STOPPING ──▶ ENDED          interrupted under the job's own lock: none can come after ENDED
 *    └──▶ STOPPING                              begins with its interrupt flag set
 * </pre>
 */
final class Job {
  private static final int NEW = 0;
  private static final int RUNNING = 1;
  private static final int STOPPING = 2;
  private static final int ENDED = 3;

  private static final VarHandle STATE = Fields.find(MethodHandles.lookup(), "state", int.class);
  private static final VarHandle TAKEN = Fields.find(MethodHandles.lookup(), "taken", boolean.class);

  final Runnable body;

  private volatile int state;

  /** Whether somebody runs it, or takes it back. */
  private volatile boolean taken;

  // Written before it leaves NEW by itself.
  private @Nullable Host host;
  private @Nullable Object task;

  Job(Runnable body) {
    this.body = body;
  }

  /** Claims it, to run it or to take it back: one alone can. */
  boolean take() {
    return TAKEN.compareAndSet(this, false, true);
  }

  boolean isTaken() {
    return taken;
  }

  /** Runs it as {@code runner}, a task of {@code host}. On return no interrupt is on its way, and none that was meant for it is left. */
  void run(Host runnersHost, Object runner) {
    host = runnersHost;
    task = runner;
    try {
      if (!STATE.compareAndSet(this, NEW, RUNNING)) {
        Thread.currentThread().interrupt();
      }
      body.run();
    } finally {
      if (!STATE.compareAndSet(this, RUNNING, ENDED)) {
        endStopping();
      }
      Thread.interrupted();
    }
  }

  /** Whoever interrupts it holds the lock. */
  private synchronized void endStopping() {
    state = ENDED;
  }

  /** Interrupts it while it runs, or when it begins; does nothing after. */
  synchronized void interrupt() {
    if (!STATE.compareAndSet(this, NEW, STOPPING) && STATE.compareAndSet(this, RUNNING, STOPPING)) {
      Objects.requireNonNull(host).interrupt(Objects.requireNonNull(task));
    }
  }

  @Override
  public String toString() {
    return switch (state) {
      case NEW -> "Job[new]";
      case ENDED -> "Job[ended]";
      default -> "Job[running]";
    };
  }
}
