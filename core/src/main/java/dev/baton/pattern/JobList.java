// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import org.jspecify.annotations.Nullable;

/** Jobs in the order in which they came, linked through themselves: O(1) also in the middle. Guarded by its owner. */
final class JobList {
  private @Nullable Job first;
  private @Nullable Job last;
  private int size;

  int size() {
    return size;
  }

  @Nullable Job first() {
    return first;
  }

  void add(Job job) {
    job.list = this;
    job.previous = last;
    if (last == null) {
      first = job;
    } else {
      last.next = job;
    }
    last = job;
    size++;
  }

  @Nullable Job poll() {
    Job job = first;
    if (job != null) {
      remove(job);
    }
    return job;
  }

  /** Takes {@code job} out. False: it does not stand here. */
  boolean remove(Job job) {
    if (job.list != this) {
      return false;
    }
    Job before = job.previous;
    Job after = job.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    job.list = null;
    job.previous = null;
    job.next = null;
    size--;
    return true;
  }
}
