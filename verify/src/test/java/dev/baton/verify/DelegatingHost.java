// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify;

import dev.baton.host.Host;
import dev.baton.host.Waiter;
import dev.baton.internal.threads.ThreadHost;
import java.time.Instant;

/**
 * Ordinary threads, except that nobody spins: every wait comes to the point where it sleeps. What a subclass does there
 * decides how waits end, so that interrupts and time-outs need neither a second thread nor real time.
 */
public class DelegatingHost implements Host {
  private final Host threads = ThreadHost.INSTANCE;

  /** Waits sleep. */
  public DelegatingHost() {}

  @Override
  public void park(Waiter waiter, Object blocker) {
    threads.park(waiter, blocker);
  }

  @Override
  public void parkUntil(Waiter waiter, Object blocker, long deadline) {
    threads.parkUntil(waiter, blocker, deadline);
  }

  @Override
  public void unpark(Waiter waiter) {
    threads.unpark(waiter);
  }

  @Override
  public Object currentTask() {
    return threads.currentTask();
  }

  @Override
  public long currentTaskId() {
    return threads.currentTaskId();
  }

  @Override
  public void interrupt(Object task) {
    threads.interrupt(task);
  }

  @Override
  public String describe(Object task) {
    return threads.describe(task);
  }

  @Override
  public long nanoTime() {
    return threads.nanoTime();
  }

  @Override
  public Instant now() {
    return threads.now();
  }

  @Override
  public Timer schedule(long deadline, Runnable action) {
    return threads.schedule(deadline, action);
  }

  @Override
  public Object start(String name, Runnable task) {
    return threads.start(name, task);
  }

  @Override
  public boolean hasEnded(Object task) {
    return threads.hasEnded(task);
  }

  @Override
  public void awaitEnd(Object task) {
    threads.awaitEnd(task);
  }

  @Override
  public int nextInt(int bound) {
    return threads.nextInt(bound);
  }

  @Override
  public boolean maySpin() {
    return false;
  }

  @Override
  public void switchPoint(Object primitive) {
    threads.switchPoint(primitive);
  }
}
