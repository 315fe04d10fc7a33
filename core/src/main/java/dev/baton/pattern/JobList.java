// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.kernel.WaitQueue;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that have not begun, in the order in which they were accepted, linked through themselves: O(1) also in the middle. Of the queue
 * it extends only the lock is used, for a few instructions at a time: nobody waits here.
 */
final class JobList extends WaitQueue {
  // Guarded by the lock.
  private @Nullable Job head;
  private @Nullable Job tail;

  /** Written under the lock; volatile, because whoever ends a thread looks at it after having said so, and whoever adds, before. */
  private volatile int jobs;

  /** How many there are, right now. */
  int jobs() {
    return jobs;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  void add(Job job) {
    lock();
    job.listed = true;
    job.previous = tail;
    if (tail == null) {
      head = job;
    } else {
      tail.next = job;
    }
    tail = job;
    jobs++;
    unlock();
  }

  /** Takes the first out, or returns null. */
  @Nullable Job pollJob() {
    if (jobs == 0) {
      return null;
    }
    lock();
    Job first = head;
    if (first != null) {
      takeOut(first);
    }
    unlock();
    return first;
  }

  /** Takes {@code job} out. False: it does not stand here any more. */
  boolean removeJob(Job job) {
    lock();
    boolean listed = job.listed;
    if (listed) {
      takeOut(job);
    }
    unlock();
    return listed;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private void takeOut(Job job) {
    Job before = job.previous;
    Job after = job.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previous = before;
    }
    job.listed = false;
    job.previous = null;
    job.next = null;
    jobs--;
  }
}
