// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an executor, the threads that run them, and those who wait to hand one in.
 *
 * <pre>
 *   submit ──▶ running        a thread is looking for work, or there may be one more
 *          ──▶ queued         there is room
 *          ──▶ waiting        else; its job moves up, in order, when room comes, before the one who waits is even awake
 *
 *   somebody queued ⇒ threads = limit          somebody waiting ⇒ the queue is full
 * </pre>
 *
 * <p>A thread whose job has ended takes the next. If there is none it looks for a few microseconds, without sleeping, whether one comes,
 * and then ends: to start a thread costs more than many a job. It does so only on a core that no other thread of the executor needs.
 */
final class JobQueue extends WaitQueue {
  /** So many threads can run at once. One more that looks would keep another off its core. */
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private static final VarHandle UNBEGUN = Fields.find(MethodHandles.lookup(), "unbegun", int.class);

  /** The job was accepted, and whoever handed it in has to start a thread for it. */
  static final int START = REFUSED;

  private static final Object TERMINATED = "terminated";

  private final int limit;
  private final int room;
  private final Completion terminated = new Completion();

  // Guarded by the lock.
  private final JobList queued = new JobList();
  private final JobList running = new JobList();
  private int threads;
  private int peak;
  private int looking;
  private @Nullable Worker lastLooking;

  /** Threads that have nothing more to do, and of which some may still be a few instructions from their end; linked, oldest first. */
  private @Nullable Worker firstGone;

  private @Nullable Worker lastGone;
  private long completed;
  private long rejected;
  private boolean shutdown;

  /** How many threads have been started and have not begun: they need a core. */
  private volatile int unbegun;

  JobQueue(int limit, int room) {
    this.limit = limit;
    this.room = room;
  }

  /** What waits to be handed in. */
  static final class Submission extends Request {
    private final Job job;

    Submission(Job job) {
      super(0);
      this.job = job;
    }
  }

  // ---- handing in ----

  /** Hands in {@code job} if there is room: GRANTED, or {@link #START}. WAITING: there is none. CLOSED: not any more. */
  int offer(Job job) {
    lock();
    int outcome = accept(job);
    unlock();
    return outcome;
  }

  /** Hands in the job of {@code submission}, which waits for room if there is none. */
  int submit(Submission submission) {
    lock();
    int outcome = accept(submission.job);
    if (outcome == WAITING) {
      enqueue(submission);
    }
    unlock();
    return outcome;
  }

  private int accept(Job job) {
    if (shutdown) {
      return CLOSED;
    }
    Worker looker = lastLooking;
    if (looker != null) {
      lastLooking = looker.next;
      looker.next = null;
      looking--;
      running.add(job);
      looker.give(job);
      return GRANTED;
    }
    if (threads < limit) {
      threads++;
      peak = Math.max(peak, threads);
      running.add(job);
      return START;
    }
    if (queued.size() < room) {
      queued.add(job);
      return GRANTED;
    }
    return WAITING;
  }

  void countRejected() {
    lock();
    rejected++;
    unlock();
  }

  void countCompleted() {
    lock();
    completed++;
    unlock();
  }

  /** Takes {@code job} out if it has not begun. */
  boolean withdraw(Job job) {
    lock();
    boolean found = queued.remove(job);
    if (found) {
      moveUp();
    }
    unlockAndWake();
    return found;
  }

  /** There may be room in the queue: those who wait move up. */
  private void moveUp() {
    while (queued.size() < room && pollSubmission() instanceof Job job) {
      queued.add(job);
    }
  }

  /** The job of the one who waits longest, who is told that it has been handed in; null if nobody waits. */
  private @Nullable Job pollSubmission() {
    if (poll() instanceof Submission submission) {
      decide(submission, GRANTED);
      return submission.job;
    }
    return null;
  }

  // ---- threads ----

  /**
   * The job of {@code worker} has ended. Returns the next, for {@code worker} or, if that {@code ends}, for a new thread; or null: then
   * the worker ends, or {@linkplain Worker#isLooking looks} for one first.
   */
  @Nullable Job next(Worker worker, Job ended, boolean ends, boolean mayLook) {
    lock();
    running.remove(ended);
    completed++;
    Job next = queued.poll();
    if (next == null) {
      next = pollSubmission();
    } else {
      moveUp();
    }
    boolean last = false;
    if (next != null) {
      running.add(next);
      if (ends) {
        addGone(worker);
      }
    } else if (mayLook && !ends && looking + unbegun < CORES && !shutdown) {
      looking++;
      worker.look(lastLooking);
      lastLooking = worker;
    } else {
      last = removeThread(worker);
    }
    unlockAndWake();
    if (last) {
      terminated.complete(TERMINATED);
    }
    return next;
  }

  /** {@code worker} has looked long enough, and ends. False: it was given a job in that moment. */
  boolean stopLooking(Worker worker) {
    lock();
    boolean ends = !worker.hasJob();
    boolean last = false;
    if (ends) {
      removeLooking(worker);
      last = removeThread(worker);
    }
    unlock();
    if (last) {
      terminated.complete(TERMINATED);
    }
    return ends;
  }

  private void removeLooking(Worker worker) {
    Worker before = null;
    for (Worker at = lastLooking; at != worker && at != null; at = at.next) {
      before = at;
    }
    if (before == null) {
      lastLooking = worker.next;
    } else {
      before.next = worker.next;
    }
    worker.next = null;
    looking--;
  }

  /** Whether that was the last of all. */
  private boolean removeThread(@Nullable Worker worker) {
    threads--;
    if (worker != null) {
      addGone(worker);
    }
    return shutdown && threads == 0;
  }

  private void addGone(Worker worker) {
    while (firstGone != null && firstGone.hasEnded()) {
      pollGone();
    }
    if (lastGone == null) {
      firstGone = worker;
    } else {
      lastGone.next = worker;
    }
    lastGone = worker;
  }

  private void pollGone() {
    Worker gone = firstGone;
    if (gone != null) {
      firstGone = gone.next;
      gone.next = null;
      if (firstGone == null) {
        lastGone = null;
      }
    }
  }

  /** A thread is about to be started. */
  void starting() {
    UNBEGUN.getAndAdd(this, 1);
  }

  /** It has begun, or could not be started. */
  void begun() {
    UNBEGUN.getAndAdd(this, -1);
  }

  /** No thread could be started for {@code job}. Returns the next one, to try again; null if there is none. */
  @Nullable Job notStarted(Job job) {
    lock();
    running.remove(job);
    Job next = queued.poll();
    if (next == null) {
      next = pollSubmission();
    } else {
      moveUp();
    }
    boolean last = false;
    if (next == null) {
      last = removeThread(null);
    } else {
      running.add(next);
    }
    unlockAndWake();
    if (last) {
      terminated.complete(TERMINATED);
    }
    return next;
  }

  // ---- the end ----

  /** Lets nothing more in; those who wait to hand in are told. */
  void shutdown() {
    lock();
    boolean last = !shutdown && threads == 0;
    shutdown = true;
    while (serveFirst(CLOSED)) {
      // each in turn
    }
    unlockAndWake();
    if (last) {
      terminated.complete(TERMINATED);
    }
  }

  /** Takes out all that have not begun. */
  List<Job> drain() {
    List<Job> all = new ArrayList<>();
    for (Job job = pollQueued(); job != null; job = pollQueued()) {
      all.add(job);
    }
    return all;
  }

  private @Nullable Job pollQueued() {
    lock();
    Job job = queued.poll();
    unlock();
    return job;
  }

  /** Those that run, as of now. */
  List<Job> running() {
    while (true) {
      int size = snapshot().running();
      Job[] all = new Job[size];
      if (copyRunning(all)) {
        return List.of(all);
      }
    }
  }

  /** Copies if there are just so many: nothing may be allocated under the lock. */
  private boolean copyRunning(Job[] all) {
    lock();
    boolean fits = running.size() == all.length;
    Job job = running.first();
    for (int i = 0; fits && job != null; i++) {
      all[i] = job;
      job = job.next;
    }
    unlock();
    return fits;
  }

  Completion terminated() {
    return terminated;
  }

  /** Waits until threads that have nothing more to do are gone. That is soon. */
  void awaitGone() {
    for (Worker worker = firstGone(); worker != null; worker = firstGone()) {
      worker.awaitEnd();
      lock();
      if (firstGone == worker) {
        pollGone();
      }
      unlock();
    }
  }

  private @Nullable Worker firstGone() {
    lock();
    Worker worker = firstGone;
    unlock();
    return worker;
  }

  // ---- looking ----

  boolean isShutdown() {
    lock();
    boolean now = shutdown;
    unlock();
    return now;
  }

  BoundedExecutor.Snapshot snapshot() {
    lock();
    int nowRunning = running.size();
    int nowQueued = queued.size();
    int nowWaiting = size();
    long nowCompleted = completed;
    long nowRejected = rejected;
    int nowPeak = peak;
    unlock();
    return new BoundedExecutor.Snapshot(nowRunning, nowQueued, nowWaiting, nowCompleted, nowRejected, nowPeak);
  }
}
