// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.threads.Backoff;
import dev.baton.internal.threads.ThreadHost;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A thread of an executor. It has a job when it is started. */
final class Worker implements Runnable {
  /** About what it costs to start a thread, twice. */
  private static final long LOOK_NANOS = 2_000;

  private static final int LOOKS_PER_CLOCK_READING = 16;

  /** How long a worker goes on before it lets others of its carrier begin. */
  private static final long SLICE_NANOS = 20_000;

  private static final VarHandle JOB = Fields.find(MethodHandles.lookup(), "job", Job.class);

  private final BoundedExecutor executor;
  private final JobQueue queue;

  /** What to run; while it looks for a job, null until it is given one, under the queue's lock. */
  private @Nullable Job job;

  /** Whether it was put among those who look; guarded by the queue's lock, then its own. */
  private boolean looking;

  /** The next in the list of the queue that it stands in; guarded by the queue's lock. */
  @Nullable Worker next;

  // Written by itself at its start.
  private @Nullable Host host;
  private @Nullable Object task;

  Worker(BoundedExecutor executor, JobQueue queue, Job job) {
    this.executor = executor;
    this.queue = queue;
    this.job = job;
  }

  @Override
  public void run() {
    queue.begun();
    Host here = Hosts.current();
    Object me = here.currentTask();
    host = here;
    task = me;
    boolean mayLook = !executor.hasThreadPerTask() && here.maySpin();
    long since = here == ThreadHost.INSTANCE ? here.nanoTime() : 0;
    Job now = taken();
    while (now != null) {
      now = runOne(now, here, me, mayLook);
      if (now != null) {
        since = giveWay(here, since);
      }
    }
  }

  /** Runs {@code now} and returns the next; null: the thread ends. */
  private @Nullable Job runOne(Job now, Host here, Object me, boolean mayLook) {
    boolean failed = true;
    Job following = null;
    try {
      now.run(here, me);
      failed = false;
    } finally {
      // An error goes on to the thread's handler and ends the thread; what comes next gets a new one.
      boolean ends = failed || executor.hasThreadPerTask();
      SwitchPoints.reach(queue);
      following = queue.next(this, now, ends, mayLook);
      if (ends && following != null) {
        executor.start(following);
        following = null;
      }
    }
    return following == null && looking ? awaitJob(here) : following;
  }

  /** Virtual threads are not preempted: without this, one that was started with a job might wait for ever to begin. */
  private static long giveWay(Host here, long since) {
    if (here != ThreadHost.INSTANCE || here.nanoTime() - since < SLICE_NANOS) {
      return since;
    }
    Backoff.giveWay();
    return here.nanoTime();
  }

  // ---- looking for a job ----

  /** Puts it among those who look, before {@code others}. Under the queue's lock. */
  void look(@Nullable Worker others) {
    job = null;
    looking = true;
    next = others;
  }

  /** Gives it a job. Under the queue's lock, once. */
  void give(Job newJob) {
    // Release: it is looked at without the lock.
    JOB.setRelease(this, newJob);
  }

  /** Whether it was given a job. Under the queue's lock. */
  boolean hasJob() {
    return job != null;
  }

  /** Takes what it was given: whoever keeps the thread need not keep its jobs. */
  private @Nullable Job taken() {
    Job mine = job;
    job = null;
    return mine;
  }

  private @Nullable Job awaitJob(Host here) {
    looking = false;
    long end = here.nanoTime() + LOOK_NANOS;
    do {
      for (int i = 0; i < LOOKS_PER_CLOCK_READING; i++) {
        // Acquire: whoever gave it has filled it in.
        if (JOB.getAcquire(this) != null) {
          return taken();
        }
        Thread.onSpinWait();
      }
    } while (here.nanoTime() - end < 0);
    return queue.stopLooking(this) ? null : taken();
  }

  // ---- its end ----

  boolean hasEnded() {
    return Objects.requireNonNull(host).hasEnded(Objects.requireNonNull(task));
  }

  void awaitEnd() {
    Objects.requireNonNull(host).awaitEnd(Objects.requireNonNull(task));
  }
}
