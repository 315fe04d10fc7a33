// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts, while tasks run, the threads that have run one and are alive. It costs more than the tasks, so it is taken in a pass of its
 * own that is not timed.
 */
final class Census {
  private static final int TASKS_PER_COUNT = 16;

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicLong tasks = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  /** A task says that it runs. */
  void attend() {
    threads.add(Thread.currentThread());
    if (tasks.incrementAndGet() % TASKS_PER_COUNT == 0) {
      threads.removeIf(thread -> !thread.isAlive());
      peak.accumulateAndGet(threads.size(), Math::max);
    }
  }

  long tasks() {
    return tasks.get();
  }

  long peak() {
    return peak.get();
  }
}
