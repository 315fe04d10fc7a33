// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Hosts;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Request;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an executor and the threads for them.
 *
 * <p>Threads are counted apart from the jobs, and no lock binds the counts together. Instead whoever changes one looks at the others after that:
 *
 * <pre>
 *   a job more      ┐
 *   a seeker less   ├─▶ {@link #ensureThread}: if a job is listed, there is no seeker, and threads &lt; limit, start one
 *   a thread less   ┘
 * </pre>
 *
 * where a seeker is a thread that is going to look at the list: one that has not begun yet, or that has nothing to do for the moment. Of
 * several that change something at once, the last sees it all. So there is always somebody on the way to a job that may begin, and who
 * has taken one sends for the next: threads are started one after the other, as fast as they begin, and not for jobs that others take
 * meanwhile.
 */
final class JobQueue {
  /** How often to look whether a job has been taken: for about half of what it costs to start a thread. */
  private static final int LOOKS = 16;

  private static final Object TERMINATED = "terminated";

  private static final VarHandle THREADS = Fields.find(MethodHandles.lookup(), "threads", int.class);
  private static final VarHandle SEEKERS = Fields.find(MethodHandles.lookup(), "seekers", int.class);
  private static final VarHandle REJECTED = Fields.find(MethodHandles.lookup(), "rejected", long.class);

  private final BoundedExecutor executor;
  private final int limit;
  private final JobList jobs;
  private final Workers workers = new Workers();
  private final Completion terminated = new Completion();

  private volatile int threads;
  private volatile int seekers;
  private volatile long rejected;

  /** Whether all that runs is to be interrupted. */
  private volatile boolean stopping;

  /** Set after the list was closed: from then on nothing is accepted. */
  private volatile boolean closed;

  JobQueue(BoundedExecutor executor, int limit, int room) {
    this.executor = executor;
    this.limit = limit;
    this.jobs = new JobList((long) limit + room);
  }

  // ---- handing in ----

  /** Accepts {@code job} if there is room: GRANTED. WAITING: there is none. CLOSED: not any more. */
  int offer(Job job) {
    int outcome = jobs.offer(job);
    if (outcome == GRANTED) {
      startFor(job);
    }
    return outcome;
  }

  /**
   * Waits until {@code job} is accepted: GRANTED, CLOSED, INTERRUPTED or TIMED_OUT; or, if {@code over} is completed first, something
   * else.
   */
  int await(Job job, Object blocker, long nanos, @Nullable Completion over) {
    Submission submission = new Submission(job);
    Ending ending = over == null ? null : new Ending(submission);
    int outcome = jobs.submit(submission);
    if (outcome != WAITING) {
      return outcome;
    }
    try {
      if (over != null && ending != null && over.register(ending) != WAITING) {
        ending.wake();
      }
      // Once accepted it may have begun: it cannot be taken back.
      return jobs.await(submission, blocker, nanos);
    } catch (Throwable unwound) {
      // It may have been the last that was accepted.
      terminateIfOver();
      throw unwound;
    } finally {
      if (over != null && ending != null) {
        over.cancel(ending);
      }
    }
  }

  /** Ends the wait of a submission as soon as something else has ended. */
  private final class Ending extends Request {
    private final Submission submission;

    Ending(Submission submission) {
      super(0, Hosts.current(), null);
      this.submission = submission;
    }

    @Override
    public void wake() {
      if (jobs.cancel(submission)) {
        submission.decide(REFUSED);
        submission.wake();
      }
    }
  }

  private final class Submission extends JobList.Submission {
    Submission(Job job) {
      super(jobs, job);
    }

    @Override
    void accepted() {
      ensureThreadOrTell();
    }
  }

  /** Takes {@code job} out if it has not begun. */
  boolean withdraw(Job job) {
    boolean found = jobs.remove(job);
    if (found) {
      terminateIfOver();
    }
    return found;
  }

  void countRejected() {
    REJECTED.getAndAdd(this, 1L);
  }

  // ---- threads ----

  /** Has threads for all jobs, as far as there may be. The error, if there is none for {@code job}, is the caller's. */
  private void startFor(Job job) {
    if (threads > 0 && isTakenSoon()) {
      return;
    }
    try {
      ensureThread();
    } catch (Throwable noThread) {
      // Unless somebody has taken it.
      if (withdraw(job)) {
        throw noThread;
      }
    }
  }

  /** To wait a moment for a thread that is just about to look for its next job costs less than to start another. */
  private boolean isTakenSoon() {
    boolean needed = needsThread();
    if (needed && Hosts.current().maySpin()) {
      for (int i = 0; i < LOOKS && needed; i++) {
        Thread.onSpinWait();
        needed = needsThread();
      }
    }
    return !needed;
  }

  private void ensureThreadOrTell() {
    try {
      ensureThread();
    } catch (Throwable noThread) {
      if (threads == 0) {
        // Nobody will come for them.
        for (Job job = jobs.drain(); job != null; job = jobs.drain()) {
          BoundedExecutor.lost(job, noThread);
        }
      }
    }
  }

  private void ensureThread() {
    if (needsThread() && addThread()) {
      SEEKERS.getAndAdd(this, 1);
      Worker worker = null;
      try {
        worker = new Worker(executor, this);
        workers.add(worker);
        Hosts.current().start(executor.nextName(), worker);
      } catch (Throwable noThread) {
        SEEKERS.getAndAdd(this, -1);
        THREADS.getAndAdd(this, -1);
        if (worker != null) {
          workers.remove(worker);
        }
        throw noThread;
      }
    }
  }

  /** Whether a job is listed and nobody is on the way to it. */
  private boolean needsThread() {
    return seekers == 0 && !jobs.isEmpty();
  }

  private boolean addThread() {
    while (true) {
      int now = threads;
      if (now >= limit) {
        return false;
      }
      if (THREADS.compareAndSet(this, now, now + 1)) {
        workers.sawThreads(now + 1);
        return true;
      }
    }
  }

  /** The calling thread is going to look at the list. False: {@code most} are going to already. */
  boolean seek(int most) {
    if (seekers >= most || closed) {
      return false;
    }
    SEEKERS.getAndAdd(this, 1);
    return true;
  }

  /** The calling thread has looked at the list, and has a job or gives up. */
  void foundOrGaveUp() {
    SEEKERS.getAndAdd(this, -1);
    ensureThreadOrTell();
  }

  /** The first that has not begun, or null. */
  @Nullable Job poll() {
    return jobs.poll();
  }

  /** A job has ended. */
  void ended() {
    jobs.end();
  }

  /** Whether a job that begins now is to be interrupted. */
  boolean isStopping() {
    return stopping;
  }

  /** {@code worker} has nothing more to do. */
  void end(Worker worker) {
    workers.remove(worker);
    THREADS.getAndAdd(this, -1);
    ensureThreadOrTell();
    terminateIfOver();
  }

  // ---- the end ----

  /** Accepts nothing more; those who wait with a job are told. */
  void shutdown() {
    jobs.close();
    closed = true;
    terminateIfOver();
  }

  /** Takes out all that have not begun, and interrupts the others. Nothing is accepted any more. */
  List<Job> stop() {
    List<Job> left = new ArrayList<>();
    for (Job job = jobs.drain(); job != null; job = jobs.drain()) {
      left.add(job);
    }
    // First said, then looked: a job that begins meanwhile sees the one or is seen by the other.
    stopping = true;
    workers.alive().forEach(Worker::interrupt);
    terminateIfOver();
    return left;
  }

  private void terminateIfOver() {
    if (closed && threads == 0 && jobs.accepted() == 0) {
      terminated.complete(TERMINATED);
    }
  }

  boolean isShutdown() {
    return closed;
  }

  boolean isTerminated() {
    return terminated.resultOrNull() != null;
  }

  /** Waits until nothing runs and nothing is accepted any more: GRANTED, INTERRUPTED or TIMED_OUT. */
  int awaitTermination(Object blocker, boolean interruptible, long nanos) {
    int outcome = terminated.await(blocker, interruptible, nanos);
    if (outcome == GRANTED) {
      workers.awaitGone();
    }
    return outcome;
  }

  // ---- looking ----

  boolean isRunBy(Object task) {
    return workers.isOne(task);
  }

  BoundedExecutor.Snapshot snapshot(long byOthers) {
    int queued = jobs.listed();
    int running = (int) Math.max(jobs.accepted() - queued, 0);
    return new BoundedExecutor.Snapshot(
        running, queued, jobs.waiting(), workers.completed() + byOthers, rejected, workers.peak());
  }
}
