// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.threads;

import dev.baton.host.Host;
import dev.baton.host.Waiter;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Tasks are threads, virtual or platform. */
public final class ThreadHost implements Host {
  /** The one host of all ordinary threads. */
  public static final ThreadHost INSTANCE = new ThreadHost();

  private static final boolean SEVERAL_CPUS = Runtime.getRuntime().availableProcessors() > 1;

  /** Where one carrier runs all virtual threads, one that spins keeps off the very thread it waits for. */
  private static final boolean SEVERAL_CARRIERS =
      SEVERAL_CPUS && Integer.getInteger("jdk.virtualThreadScheduler.parallelism", 2) > 1;

  /** Makes threads without making a builder for each. */
  private static final ThreadFactory UNNAMED = Thread.ofVirtual().factory();

  private ThreadHost() {}

  @Override
  public void park(Waiter waiter, Object blocker) {
    LockSupport.park(blocker);
  }

  @Override
  public void parkUntil(Waiter waiter, Object blocker, long deadline) {
    long nanos = deadline - System.nanoTime();
    if (nanos > 0) {
      LockSupport.parkNanos(blocker, nanos);
    }
  }

  @Override
  public void unpark(Waiter waiter) {
    // A thread that has been unparked already is only looked at: it could return from its park without what was written for it.
    VarHandle.fullFence();
    LockSupport.unpark((Thread) waiter.task());
  }

  @Override
  public Object currentTask() {
    return Thread.currentThread();
  }

  @Override
  public long currentTaskId() {
    return Thread.currentThread().threadId();
  }

  @Override
  public void interrupt(Object task) {
    Thread thread = (Thread) task;
    try {
      thread.interrupt();
    } catch (Throwable foreign) {
      // An interrupt closes the channel that the thread is blocked in, which is foreign code. The flag is set by then.
      LockSupport.unpark(thread);
      tell(foreign);
    }
  }

  private static void tell(Throwable foreign) {
    try {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, foreign);
    } catch (Throwable further) {
      // As the JVM does: whoever handles errors and fails is not listened to. Others have to be interrupted yet.
    }
  }

  @Override
  public String describe(Object task) {
    Thread thread = (Thread) task;
    String kind = thread.isVirtual() ? "virtual thread #" : "thread #";
    return kind + thread.threadId() + (thread.getName().isEmpty() ? "" : " " + thread.getName());
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public Timer schedule(long deadline, Runnable action) {
    return SharedTimer.schedule(deadline - System.nanoTime(), action);
  }

  @Override
  public Object start(String name, Runnable task) {
    if (name.isEmpty()) {
      Thread thread = UNNAMED.newThread(task);
      thread.start();
      return thread;
    }
    return Thread.ofVirtual().name(name).start(task);
  }

  @Override
  public boolean hasEnded(Object task) {
    return !((Thread) task).isAlive();
  }

  @Override
  public void awaitEnd(Object task) {
    Thread thread = (Thread) task;
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int nextInt(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  @Override
  public boolean maySpin() {
    return Thread.currentThread().isVirtual() ? SEVERAL_CARRIERS : SEVERAL_CPUS;
  }

  @Override
  public void switchPoint(Object primitive) {
    // Threads are switched by the JVM.
  }
}
