// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.threads.ThreadHost;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A thread of an executor. It takes jobs from the list until there are none; then it looks for a few microseconds, without sleeping, whether
 * one comes, and ends: to start a thread costs more than many a job. It does so only on a core that no other thread of the executor needs.
 */
final class Worker implements Runnable {
  /** About what it costs to start a thread and have it begin. */
  private static final long LOOK_NANOS = 2_000;

  private static final int LOOKS_PER_CLOCK_READING = 16;

  /** On the last core runs whoever hands in. */
  private static final int MOST_SEEKERS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

  private static final VarHandle COMPLETED = Fields.find(MethodHandles.lookup(), "completed", long.class);

  private final BoundedExecutor executor;
  private final JobQueue queue;

  /** What it took last; volatile, see {@link JobQueue#stop}. */
  private volatile @Nullable Job current;

  /** Written by itself only. */
  private long completed;

  // Guarded by the list that it stands in: first of those that are alive, then of those that are gone.
  @Nullable Worker previous;
  @Nullable Worker next;

  // Written by itself when it begins.
  private volatile @Nullable Host host;
  private @Nullable Object task;

  Worker(BoundedExecutor executor, JobQueue queue) {
    this.executor = executor;
    this.queue = queue;
  }

  @Override
  public void run() {
    Host here = Hosts.current();
    task = here.currentTask();
    host = here;
    SwitchPoints.reach(queue);
    Job job = queue.poll();
    queue.foundOrGaveUp();
    try {
      if (executor.hasThreadPerTask()) {
        if (job != null) {
          runOne(job, here);
        }
      } else {
        runAll(job, here);
      }
    } finally {
      // Also if a job has failed: the error goes on to the thread's handler, and the next job gets a new thread.
      queue.end(this);
    }
  }

  private void runAll(@Nullable Job first, Host here) {
    Slice slice = here == ThreadHost.INSTANCE ? new Slice(here) : null;
    boolean mayLook = here.maySpin();
    for (Job job = first == null && mayLook ? look(here) : first; job != null; ) {
      runOne(job, here);
      if (slice != null) {
        slice.ranOne();
      }
      SwitchPoints.reach(queue);
      job = queue.poll();
      if (job == null && mayLook) {
        job = look(here);
      }
    }
  }

  private void runOne(Job job, Host here) {
    current = job;
    if (queue.isStopping()) {
      job.interrupt();
    }
    Probe timing = executor.timing();
    long begun = timing == null ? 0 : here.nanoTime();
    try {
      job.run(here, Objects.requireNonNull(task));
    } finally {
      // Opaque: others only look, and its end makes it known.
      COMPLETED.setOpaque(this, completed + 1);
      queue.ended();
      if (timing != null) {
        timing.held(here.nanoTime() - begun);
      }
    }
  }

  private @Nullable Job look(Host here) {
    if (!queue.seek(MOST_SEEKERS)) {
      return null;
    }
    Job found = null;
    long end = here.nanoTime() + LOOK_NANOS;
    do {
      for (int i = 0; i < LOOKS_PER_CLOCK_READING && found == null; i++) {
        found = queue.poll();
        Thread.onSpinWait();
      }
    } while (found == null && here.nanoTime() - end < 0);
    queue.foundOrGaveUp();
    return found;
  }

  // ---- for others ----

  long completed() {
    return (long) COMPLETED.getOpaque(this);
  }

  void interrupt() {
    Job job = current;
    if (job != null) {
      job.interrupt();
    }
  }

  boolean hasBegun() {
    return host != null;
  }

  boolean isTask(Object candidate) {
    return host != null && task == candidate;
  }

  boolean hasEnded() {
    return Objects.requireNonNull(host).hasEnded(Objects.requireNonNull(task));
  }

  void awaitEnd() {
    Objects.requireNonNull(host).awaitEnd(Objects.requireNonNull(task));
  }
}
