// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Hosts;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an executor: those accepted, and those who wait with one.
 *
 * <p>A job takes one of {@code limit + room} permits when it is accepted, and gives it back when it has ended; whoever finds none waits for it in
 * the permits' own line. Accepted jobs stand in a list that threads take them from. Who is granted a permit while waiting has its job put in the
 * list by the one who grants, under the lock of the permits: so the order of the line is that of the list.
 *
 * <p>Threads are counted apart, and no lock binds the counts together: on a machine with more threads than cores, somebody who loses
 * its core inside such a lock would stop all others. Instead whoever changes a count looks at the others after that:
 *
 * <pre>
 *   jobs added      ┐
 *   a seeker less   ├─▶ {@link #ensureThreads}: while jobs &gt; seekers and threads &lt; limit, start one
 *   a thread less   ┘
 * </pre>
 *
 * where a seeker is a thread that is going to look at the list: one that has not begun yet, or that has nothing to do for the moment. Of
 * several that change something at once, the last sees it all, so no job stands in the list while a thread for it is missing.
 */
final class JobQueue {
  private static final Object TERMINATED = "terminated";

  private static final VarHandle THREADS = Fields.find(MethodHandles.lookup(), "threads", int.class);
  private static final VarHandle SEEKERS = Fields.find(MethodHandles.lookup(), "seekers", int.class);
  private static final VarHandle REJECTED = Fields.find(MethodHandles.lookup(), "rejected", long.class);

  private final BoundedExecutor executor;
  private final int limit;
  private final PermitQueue places;
  private final JobList jobs = new JobList();
  private final Workers workers = new Workers();
  private final Completion terminated = new Completion();

  private volatile int threads;
  private volatile int seekers;
  private volatile long rejected;

  /** Set before the places are closed. */
  private volatile boolean closing;

  /** Whether all that runs is to be interrupted. */
  private volatile boolean stopping;

  JobQueue(BoundedExecutor executor, int limit, int room) {
    this.executor = executor;
    this.limit = limit;
    this.places = new PermitQueue((long) limit + room, (long) limit + room);
  }

  // ---- handing in ----

  /** Accepts {@code job} if there is room: GRANTED. WAITING: there is none. CLOSED: not any more. */
  int offer(Job job) {
    if (places.tryTake(1)) {
      jobs.add(job);
      startFor(job);
      return GRANTED;
    }
    return places.isClosed() ? CLOSED : WAITING;
  }

  /**
   * Waits until {@code job} is accepted: GRANTED, CLOSED, INTERRUPTED or TIMED_OUT; or, if {@code over} is completed first, something
   * else.
   */
  int await(Job job, Object blocker, long nanos, @Nullable Completion over) {
    Submission submission = new Submission(job);
    Ending ending = over == null ? null : new Ending(submission);
    int outcome = places.enqueue(submission, false);
    if (outcome == GRANTED) {
      submission.accepted();
    }
    if (outcome != WAITING) {
      return outcome;
    }
    try {
      if (over != null && ending != null && over.register(ending) != WAITING) {
        ending.wake();
      }
      // Once accepted it may have begun: it cannot be taken back.
      return places.awaitDelivery(submission, blocker, true, nanos);
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
      if (places.cancel(submission)) {
        submission.decide(REFUSED);
        submission.wake();
      }
    }
  }

  /** What waits to be accepted. */
  private final class Submission extends Request {
    private final Job job;

    /** Written under the lock of the permits. */
    private boolean listed;

    Submission(Job job) {
      super(1);
      this.job = job;
    }

    @Override
    protected boolean claim() {
      // Whoever closes claims, too, and then it is not accepted.
      if (!closing) {
        jobs.add(job);
        listed = true;
      }
      return true;
    }

    /** Its submitter was unwound. What has begun gives its place back by itself. */
    @Override
    protected boolean goesBack() {
      return jobs.removeJob(job);
    }

    @Override
    public void wake() {
      try {
        if (outcome() == GRANTED) {
          accepted();
        }
      } finally {
        super.wake();
      }
    }

    void accepted() {
      if (!listed) {
        jobs.add(job);
      }
      ensureThreadsOrTell();
    }
  }

  /** Takes {@code job} out if it has not begun. */
  boolean withdraw(Job job) {
    boolean found = jobs.removeJob(job);
    if (found) {
      places.giveOne();
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
    try {
      ensureThreads();
    } catch (Throwable noThread) {
      // Unless somebody has taken it.
      if (withdraw(job)) {
        throw noThread;
      }
    }
  }

  private void ensureThreadsOrTell() {
    try {
      ensureThreads();
    } catch (Throwable noThread) {
      if (threads == 0) {
        // Nobody will come for them.
        for (Job job = jobs.pollJob(); job != null; job = jobs.pollJob()) {
          places.giveOne();
          BoundedExecutor.lost(job, noThread);
        }
      }
    }
  }

  private void ensureThreads() {
    while (jobs.jobs() > seekers && addThread()) {
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
    if (seekers >= most || closing) {
      return false;
    }
    SEEKERS.getAndAdd(this, 1);
    return true;
  }

  /** The calling thread has looked at the list, and has a job or gives up. */
  void foundOrGaveUp() {
    SEEKERS.getAndAdd(this, -1);
    ensureThreadsOrTell();
  }

  boolean hasJobs() {
    return jobs.jobs() > 0;
  }

  @Nullable Job poll() {
    return jobs.pollJob();
  }

  /** A job has ended. */
  void ended() {
    places.giveOne();
  }

  /** Whether a job that begins now is to be interrupted. */
  boolean isStopping() {
    return stopping;
  }

  /** {@code worker} has nothing more to do. */
  void end(Worker worker) {
    workers.remove(worker);
    THREADS.getAndAdd(this, -1);
    ensureThreadsOrTell();
    terminateIfOver();
  }

  // ---- the end ----

  /** Accepts nothing more; those who wait with a job are told. */
  void shutdown() {
    closing = true;
    places.close();
    terminateIfOver();
  }

  /** Takes out all that have not begun, and interrupts the others. Nothing is accepted any more. */
  List<Job> stop() {
    List<Job> left = new ArrayList<>();
    for (Job job = jobs.pollJob(); job != null; job = jobs.pollJob()) {
      places.giveOne();
      left.add(job);
    }
    // First said, then looked: a job that begins meanwhile sees the one or is seen by the other.
    stopping = true;
    workers.interruptAll();
    terminateIfOver();
    return left;
  }

  private void terminateIfOver() {
    if (closing && threads == 0 && places.isClosed() && places.held() == 0) {
      terminated.complete(TERMINATED);
    }
  }

  boolean isShutdown() {
    return closing;
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
    int queued = jobs.jobs();
    int running = (int) Math.max(places.held() - queued, 0);
    return new BoundedExecutor.Snapshot(
        running, queued, places.waiting(), workers.completed() + byOthers, rejected, workers.peak());
  }
}
