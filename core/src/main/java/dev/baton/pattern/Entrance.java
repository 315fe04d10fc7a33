// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.pattern.BoundedExecutor.WhenFull;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How work comes into an executor: accepted, waited with, refused, or run by whoever brings it. */
final class Entrance {
  private final BoundedExecutor executor;
  private final JobQueue queue;
  private final int limit;
  private final int room;
  private final WhenFull whenFull;
  private final AtomicLong ranByCallers = new AtomicLong();

  Entrance(BoundedExecutor executor, JobQueue queue, int limit, int room, WhenFull whenFull) {
    this.executor = executor;
    this.queue = queue;
    this.limit = limit;
    this.room = room;
    this.whenFull = whenFull;
  }

  /**
   * Hands in as the policy says.
   *
   * @throws RejectedExecutionException if {@code job} was not accepted, for whatever reason; an interrupt is pending then
   */
  void handIn(Job job) {
    SwitchPoints.reach(executor);
    int outcome = queue.offer(job);
    if (outcome == WAITING) {
      switch (whenFull) {
        case WAIT -> outcome = queue.await(job, executor, FOREVER, null);
        case REJECT ->
            throw rejected("There is no room: " + limit + " tasks run and " + room + " are stored, which is as many as may.");
        case CALLER_RUNS -> {
          runHere(job);
          return;
        }
      }
    }
    if (outcome == INTERRUPTED) {
      Thread.currentThread().interrupt();
      throw rejected("Interrupted while waiting for room; the interrupt is pending.");
    }
    settle(outcome);
  }

  /** Hands in if there is room now. False: there is none. */
  boolean tryHandIn(Job job) {
    SwitchPoints.reach(executor);
    return settle(queue.offer(job));
  }

  /** Hands in, waiting for room whatever the policy. False: none came in time. */
  boolean handInInterruptibly(Job job, long nanos) throws InterruptedException {
    return handInInterruptibly(job, nanos, null);
  }

  /**
   * Hands in as the policy says, but a wait is interruptible and timed, and ends when {@code over} does. Once the time has passed it is tried
   * once, whatever the policy: a caller that runs tasks itself would go on with all the others. False: not accepted by then.
   */
  boolean handInWithin(Job job, TimeLimit time, @Nullable Completion over) throws InterruptedException {
    long left = time.left();
    if (whenFull == WhenFull.WAIT || left == 0) {
      return handInInterruptibly(job, left, over);
    }
    Interrupts.check();
    handIn(job);
    return true;
  }

  private boolean handInInterruptibly(Job job, long nanos, @Nullable Completion over) throws InterruptedException {
    SwitchPoints.reach(executor);
    Interrupts.check();
    int outcome = queue.offer(job);
    if (outcome == WAITING && nanos > 0) {
      outcome = queue.await(job, executor, nanos, over);
    }
    if (outcome == INTERRUPTED) {
      queue.countRejected();
      throw new InterruptedException();
    }
    return settle(outcome);
  }

  /** What the outcome of handing in means. False: not accepted. */
  private boolean settle(int outcome) {
    if (outcome == CLOSED) {
      throw rejected("The executor was shut down.");
    }
    if (outcome != GRANTED) {
      queue.countRejected();
    }
    return outcome == GRANTED;
  }

  private void runHere(Job job) {
    if (queue.isShutdown()) {
      throw rejected("The executor was shut down.");
    }
    Probe timing = executor.timing();
    Host here = timing == null ? null : Hosts.current();
    long begun = here == null ? 0 : here.nanoTime();
    try {
      job.body.run();
    } finally {
      ranByCallers.incrementAndGet();
      if (timing != null && here != null) {
        timing.held(here.nanoTime() - begun);
      }
    }
  }

  private RejectedExecutionException rejected(String reason) {
    queue.countRejected();
    return new RejectedExecutionException(reason + " The task will not run.");
  }

  /** How many tasks those who brought them have run themselves. */
  long ranByCallers() {
    return ranByCallers.get();
  }
}
