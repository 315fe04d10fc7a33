// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Hosts;
import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of an executor. Asked when one begins or ends, not for each job. */
final class Workers {
  private static final VarHandle PEAK = Fields.find(MethodHandles.lookup(), "peak", int.class);

  private volatile int peak;

  // Guarded by this.
  /** Those that are alive, linked, oldest first: whoever interrupts them does so in the same order each time. */
  private @Nullable Worker firstAlive;

  private @Nullable Worker lastAlive;

  /** Those that have nothing more to do, and of which some may still be a few instructions from their end; linked, oldest first. */
  private @Nullable Worker firstGone;

  private @Nullable Worker lastGone;

  /** By threads that are gone. */
  private long completed;

  synchronized void add(Worker worker) {
    worker.previous = lastAlive;
    if (lastAlive == null) {
      firstAlive = worker;
    } else {
      lastAlive.next = worker;
    }
    lastAlive = worker;
  }

  synchronized void remove(Worker worker) {
    unlink(worker);
    completed += worker.completed();
    forgetEnded();
    if (worker.hasBegun()) {
      addGone(worker);
    }
  }

  private void unlink(Worker worker) {
    Worker before = worker.previous;
    Worker after = worker.next;
    if (before == null) {
      firstAlive = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      lastAlive = before;
    } else {
      after.previous = before;
    }
    worker.previous = null;
    worker.next = null;
  }

  private void forgetEnded() {
    while (firstGone != null && firstGone.hasEnded()) {
      pollGone();
    }
  }

  private void addGone(Worker worker) {
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

  /** There are so many now. */
  void sawThreads(int now) {
    int most = peak;
    while (now > most && !PEAK.compareAndSet(this, most, now)) {
      most = peak;
    }
  }

  int peak() {
    return peak;
  }

  synchronized long completed() {
    long all = completed;
    for (Worker worker = firstAlive; worker != null; worker = worker.next) {
      all += worker.completed();
    }
    return all;
  }

  /** Whether {@code task} is one of them. */
  boolean isOne(Object task) {
    return alive().stream().anyMatch(worker -> worker.isTask(task));
  }

  synchronized List<Worker> alive() {
    List<Worker> all = new ArrayList<>();
    for (Worker worker = firstAlive; worker != null; worker = worker.next) {
      all.add(worker);
    }
    return all;
  }

  /**
   * Waits until threads that have nothing more to do are gone. That is soon. But a thread does not wait for itself: the handler of an error
   * that has escaped a task runs there, after all, and may do as it likes.
   */
  void awaitGone() {
    Object caller = Hosts.current().currentTask();
    for (Worker worker = nextToWaitFor(caller); worker != null; worker = nextToWaitFor(caller)) {
      worker.awaitEnd();
    }
  }

  private synchronized @Nullable Worker nextToWaitFor(Object caller) {
    forgetEnded();
    Worker worker = firstGone;
    while (worker != null && (worker.isTask(caller) || worker.hasEnded())) {
      worker = worker.next;
    }
    return worker;
  }
}
