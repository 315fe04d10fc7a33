// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.threads.Backoff;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that were accepted and have not begun, in order, and those who wait with one until there is room.
 *
 * <pre>
 *   submit ──▶ accepted: listed ──▶ taken ──▶ ended         at most {@code capacity} accepted and not ended
 *          ──▶ waiting  ──▶ accepted                         by whoever makes room, before the one who waits is even awake
 * </pre>
 *
 * <p>Each accepted job has a permit. While there are any, neither submitter nor worker takes a lock: on a machine with more threads than
 * cores, somebody who loses its core under a lock would stop all others. Who finds none waits in the permits' own line. Whoever returns one
 * lists the job of the first in line; between the grant and that, newcomers that have found another permit let it go first, and those who
 * list keep to the order of the grants.
 */
final class JobList {
  /** So many that were taken back are not worth a look. */
  private static final int FEW = 64;

  private static final VarHandle WITHDRAWN = Fields.find(MethodHandles.lookup(), "withdrawn", int.class);

  private final PermitQueue places;
  private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();

  /** How many jobs of waiting submitters were granted a place; written under the lock of the permits. */
  private volatile long granted;

  /** How many of them have been listed; written in order, by one at a time. */
  private volatile long listed;

  /** About how many jobs stand in the list that were taken back since it was swept. */
  @SuppressWarnings("UnusedVariable") // through the handle
  private volatile int withdrawn;

  /** Set before the permits are closed. */
  private volatile boolean closing;

  JobList(long capacity) {
    places = new PermitQueue(capacity, capacity);
  }

  /** Somebody who waits with a job. */
  abstract static class Submission extends Request {
    private final JobList list;
    private final Job job;

    /** Its place in the order of the grants; written under the lock of the permits, -1 if it has none. */
    private long turn = -1;

    Submission(JobList list, Job job) {
      super(1);
      this.list = list;
      this.job = job;
    }

    /** The job was listed. Called without a lock. */
    abstract void accepted();

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the permits
    protected final boolean claim() {
      // Whoever closes claims, too, and then nothing was granted.
      if (!list.closing) {
        turn = list.granted++;
      }
      return true;
    }

    /** Its submitter was unwound. What has begun gives its place back by itself. */
    @Override
    protected final boolean goesBack() {
      return job.take();
    }

    @Override
    public final void wake() {
      try {
        if (outcome() == GRANTED) {
          list();
        }
      } finally {
        super.wake();
      }
    }

    private void list() {
      try {
        list.awaitTurn(turn);
        list.jobs.add(job);
      } finally {
        list.endTurn(turn);
      }
      accepted();
    }
  }

  private void awaitTurn(long turn) {
    for (int attempt = 0; turn >= 0 && listed != turn; attempt++) {
      Backoff.pause(attempt);
    }
  }

  private void endTurn(long turn) {
    if (turn >= 0) {
      listed = turn + 1;
    }
  }

  // ---- handing in ----

  /** Accepts {@code job} if there is room: GRANTED. WAITING: there is none. CLOSED: not any more. */
  int offer(Job job) {
    if (!places.tryTake(1)) {
      return places.isClosed() ? CLOSED : WAITING;
    }
    try {
      // What was granted before goes first.
      long before = granted;
      for (int attempt = 0; listed < before; attempt++) {
        Backoff.pause(attempt);
      }
      jobs.add(job);
    } catch (Throwable noRoom) {
      places.giveOne();
      throw noRoom;
    }
    return GRANTED;
  }

  /** Accepts the job of {@code submission} if there is room, else lets that wait. */
  int submit(Submission submission) {
    int outcome = places.enqueue(submission, false);
    if (outcome == GRANTED) {
      submission.list();
    }
    return outcome;
  }

  /** Waits for what becomes of {@code submission}. Once accepted its job may have begun: it cannot be taken back. */
  int await(Submission submission, Object blocker, long nanos) {
    return places.awaitDelivery(submission, blocker, true, nanos);
  }

  /** Ends the wait of {@code submission}. False: it is decided. */
  boolean cancel(Submission submission) {
    return places.cancel(submission);
  }

  // ---- taking ----

  /** Takes the first out, or returns null. */
  @Nullable Job poll() {
    Job job = jobs.poll();
    while (job != null && !job.take()) {
      job = jobs.poll();
    }
    return job;
  }

  /** A job that was taken has ended: whoever waits longest moves up. */
  void end() {
    places.giveOne();
  }

  /** Takes {@code job} out for good. False: it has been taken before. */
  boolean remove(Job job) {
    boolean found = job.take();
    if (found) {
      end();
      sweepIfWorthwhile();
    }
    return found;
  }

  /**
   * What was taken back stays in the list until somebody comes by, or until there is more of it than of the others: to look for each
   * would cost as much as there are.
   */
  private void sweepIfWorthwhile() {
    int many = (int) WITHDRAWN.getAndAdd(this, 1) + 1;
    if (many > FEW && many > places.held() && WITHDRAWN.compareAndSet(this, many, 0)) {
      jobs.removeIf(Job::isTaken);
    }
  }

  /** Takes the first out for good, or returns null. */
  @Nullable Job drain() {
    Job first = poll();
    if (first != null) {
      end();
    }
    return first;
  }

  /** Accepts nothing more; those who wait are told. */
  void close() {
    closing = true;
    places.close();
  }

  // ---- looking ----

  /** Whether there is none that has not begun. May answer false while there are only some that were taken back. */
  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** How many have not begun. */
  int listed() {
    return (int) jobs.stream().filter(job -> !job.isTaken()).count();
  }

  /** How many were accepted and have not ended. */
  long accepted() {
    return places.held();
  }

  /** How many wait to be accepted. */
  int waiting() {
    return places.waiting();
  }
}
