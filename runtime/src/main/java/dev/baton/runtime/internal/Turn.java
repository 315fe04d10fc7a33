// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The turn: who has it, and how far those who had it have come. All that every switch writes is in this one object: whoever is next
 * may run on another core, which fetches it whole.
 */
final class Turn {
  private static final VarHandle HOLDER;
  private static final VarHandle STEPS;
  private static final VarHandle EVENTS;

  static {
    try {
      MethodHandles.Lookup here = MethodHandles.lookup();
      HOLDER = here.findVarHandle(Turn.class, "holder", CooperativeTask.class);
      STEPS = here.findVarHandle(Turn.class, "steps", long.class);
      EVENTS = here.findVarHandle(Turn.class, "events", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread driver = Thread.currentThread();
  private volatile @Nullable CooperativeTask holder;

  /** The thread of the task that did not come back, if the run was given up for that: should it come back, it is still ours. */
  private volatile @Nullable Thread stuck;

  private long steps;
  private long events;

  /** The task that has it, or null if the driver has. Asked by any thread. */
  @Nullable CooperativeTask holder() {
    return holder;
  }

  /** Whether the calling thread has it. Asked by any thread. */
  boolean isCallers() {
    // Not a field of its own: to store one more reference at each switch costs more than this look.
    CooperativeTask task = holder;
    return Thread.currentThread() == (task == null ? driver : task.thread);
  }

  /** Whether the calling thread is that of a task that has it, or had it and did not come back. Asked by any thread. */
  boolean isOfCallingTask() {
    Thread caller = Thread.currentThread();
    CooperativeTask task = holder;
    return (task != null && caller == task.thread) || caller == stuck;
  }

  /** The task that calls. */
  CooperativeTask caller() {
    CooperativeTask task = holder;
    if (task == null || Thread.currentThread() != task.thread) {
      throw new IllegalStateException(
          "This thread is not a task of the run it waits in: start tasks by a Scope, not by threads that take over its context.");
    }
    return task;
  }

  /** Whoever has it does not come back. Returns its thread. */
  @Nullable Thread abandon() {
    CooperativeTask task = holder;
    Thread thread = task == null ? null : task.thread;
    stuck = thread;
    return thread;
  }

  /** Whether a task that did not come back was left behind with it. */
  boolean isAbandoned() {
    return stuck != null;
  }

  /**
   * Gives it to {@code next}, whose thread is woken after that. To unpark does not order this: where a permit is left from something
   * else it is only looked at, and the thread that takes that one would not see the turn, and sleep.
   */
  void giveTo(@Nullable CooperativeTask next) {
    holder = next;
  }

  /** Gives it to {@code next}, which the calling thread itself runs on. */
  void giveHere(@Nullable CooperativeTask next) {
    // A volatile write waits until all cores have seen it, which is a good part of the price of a switch.
    HOLDER.setOpaque(this, next);
  }

  /** Somebody begins an operation. Called by whoever has the turn. */
  void step() {
    STEPS.setOpaque(this, steps + 1);
  }

  /** How many operations were begun. */
  long steps() {
    return steps;
  }

  /** Something else happens. Called by whoever has the turn. */
  void happened() {
    EVENTS.setOpaque(this, events + 1);
  }

  /** Grows whenever something happens. Asked by any thread, which sees it in time, but ordered with nothing else. */
  long progress() {
    return (long) STEPS.getOpaque(this) + (long) EVENTS.getOpaque(this);
  }
}
