// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The world a primitive runs in: whom to put to sleep and wake, what time it is, where randomness comes from.
 *
 * <p>Primitives ask their host and never the JDK, so the same code runs on ordinary threads, under a cooperative
 * scheduler, and in a simulation. A <em>task</em> is whatever the host runs and can wake; only the host knows its type.
 * Each {@link Waiter} carries its own host, so tasks of different hosts can meet on one primitive.
 *
 * <p>While a task runs, the interrupt flag of its thread is the task's own.
 *
 * <p>Parking may throw, to unwind the task; the wait is then withdrawn. No other method may throw.
 */
public interface Host {

  /**
   * Puts the calling task to sleep until it is unparked or interrupted; may return for no reason.
   *
   * @param blocker what the task waits for, shown in thread dumps
   */
  void park(Waiter waiter, Object blocker);

  /** Like {@link #park(Waiter, Object)}, but returns once {@link #nanoTime()} has reached {@code deadline}. */
  void parkUntil(Waiter waiter, Object blocker, long deadline);

  /**
   * Wakes the waiter's task, or lets its next park return at once. Never blocks. What the caller has written before is seen by the task
   * when that park returns, or the next one returns at once too.
   */
  void unpark(Waiter waiter);

  /** The task that calls. */
  Object currentTask();

  /** A positive number that tells the calling task from all others in the JVM. */
  long currentTaskId();

  /** Interrupts a task of this host: it is to end. */
  void interrupt(Object task);

  /**
   * Interrupts a block that a task of this host is in, and not the task: it is to leave the block, and goes on after it. Where tasks of
   * a layer above live in those of the host, the one that is in the block is not told to end.
   *
   * @param resident who {@linkplain #resident lived} in the task when the block began; whoever has moved in since is a part of the
   *     block, and is told to end
   */
  default void interruptBlock(Object task, @Nullable Object resident) {
    interrupt(task);
  }

  /** The same for a block that whoever lives in the task at present is in. */
  default void interruptBlock(Object task) {
    interrupt(task);
  }

  /** Who lives in the calling task, if a layer above has tasks of its own; or null. */
  default @Nullable Object resident() {
    return null;
  }

  /** Whether whoever lives in {@code task}, which calls, was told to end and has not heard of it. */
  default boolean isResidentEnding(Object task) {
    return false;
  }

  /** How {@code task} is shown to people. */
  String describe(Object task);

  /** Nanoseconds of this host's monotonic clock. */
  long nanoTime();

  /**
   * Like {@link #nanoTime()}, for people who want to know since when somebody waits: may be behind by a fraction of a second where
   * to look at the clock costs as much as to go to sleep.
   */
  default long roughNanoTime() {
    return nanoTime();
  }

  /** This host's wall clock. */
  Instant now();

  /** Runs {@code action} once {@link #nanoTime()} has reached {@code deadline}. The action must be short and not block. */
  Timer schedule(long deadline, Runnable action);

  /**
   * Like {@link #schedule}, for what may outlive this host: if it ends before, {@code action} runs on an ordinary thread once as much more
   * time has passed as was left, and {@link #nanoTime()} goes on until then.
   */
  default Timer scheduleLasting(long deadline, Runnable action) {
    return schedule(deadline, action);
  }

  /** Starts a new task, without a name if that is empty, and returns it. */
  Object start(String name, Runnable task);

  /** Whether {@code task}, started by this host, is gone. */
  boolean hasEnded(Object task);

  /** Waits, ignoring interrupts, until {@code task}, which has returned or is about to, is gone. */
  void awaitEnd(Object task);

  /** A random number from 0 (inclusive) to {@code bound} (exclusive). */
  int nextInt(int bound);

  /** Whether waiting a few microseconds without sleeping can pay: somebody else must be able to run meanwhile. */
  boolean maySpin();

  /** Whether the calling thread is the task of this host that runs at present. Asked by any thread of the JVM. */
  default boolean runsCaller() {
    return false;
  }

  /** Called before every operation of a primitive, so that a cooperative host can let somebody else go first. */
  void switchPoint(Object primitive);

  /** Called when a task of this host has made a primitive. For diagnosis only, as are the three that follow. */
  default void made(Object primitive) {}

  /** Called when the calling task has been given {@code n} of a primitive's permits, or a lock (then {@code n} is 1). */
  default void took(Object primitive, long n) {}

  /** Called when a callback has been given {@code n} of a primitive's permits, or a lock. */
  default void tookAsync(Object primitive, long n) {}

  /** Called when the calling task gives back {@code n} of a primitive's permits, or a lock; perhaps for another task. */
  default void gave(Object primitive, long n) {}

  /** A scheduled action that has not run yet. */
  interface Timer {

    /** Withdraws the action; does nothing if it has run or is running. */
    void cancel();
  }
}
