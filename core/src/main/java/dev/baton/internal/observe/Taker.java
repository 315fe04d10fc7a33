// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Frames;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Probe;
import dev.baton.internal.threads.ThreadHost;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has taken something, as it is kept beside what was taken. Mostly that is the thread itself, so that nothing is allocated; a
 * {@link Taken} where there is more to say.
 */
public final class Taker {
  /** The number of no task. */
  public static final long NOBODY = 0;

  private static final long NOT_YET = Long.MIN_VALUE;

  private static final Taken NO_TASK = new Taken(ThreadHost.INSTANCE, null, NOBODY, null, null);

  private Taker() {}

  /** A taker of which more is known than the thread. */
  private static final class Taken {
    private final Host host;

    /** Null if what was taken belongs to no task. */
    private final @Nullable Object task;

    private final long number;

    /** Where; the trace is worked out when somebody asks for it. */
    private final @Nullable Throwable stack;

    /** What wants to know how long it is held; null if nobody does. */
    private final @Nullable Probe timed;

    /** Since when it is held, by the clock of the host. Written once, by the taker, if it is timed. */
    private long since = NOT_YET;

    Taken(Host host, @Nullable Object task, long number, @Nullable Throwable stack, @Nullable Probe timed) {
      this.host = host;
      this.task = task;
      this.number = number;
      this.stack = stack;
      this.timed = timed;
    }
  }

  /**
   * The calling task, if anybody wants to know that it takes something that has {@code probe}, and null if not: asked only while {@link
   * Watch#seesHolds}. Never throws: something may have been taken already.
   */
  public static @Nullable Object of(@Nullable Probe probe) {
    if (probe != null && Watch.isTimed()) {
      return timed(probe);
    }
    return Watch.isOn() ? now() : null;
  }

  /** Like {@link #of}, for what will belong to a future. */
  public static @Nullable Object ofFuture(@Nullable Probe probe) {
    Object timed = timedOnly(probe);
    return timed == null && Watch.isOn() ? noTask() : timed;
  }

  /** For what is timed if it has {@code probe}, and not written down as anybody's; null if nobody wants to know. Never throws. */
  public static @Nullable Object timedOnly(@Nullable Probe probe) {
    if (!Watch.isTimed() || probe == null) {
      return null;
    }
    try {
      return new Taken(Hosts.current(), null, NOBODY, stackNow(), probe);
    } catch (OutOfMemoryError | StackOverflowError noRoom) {
      return null;
    }
  }

  private static Object timed(Probe probe) {
    try {
      Host host = Hosts.current();
      return new Taken(host, host.currentTask(), host.currentTaskId(), stackNow(), probe);
    } catch (OutOfMemoryError | StackOverflowError noRoom) {
      return Thread.currentThread();
    }
  }

  /** {@code taker} has what it wanted, from now on. Never throws. */
  public static void begun(@Nullable Object taker) {
    // A part that is split off is held since the whole was.
    if (taker instanceof Taken taken && taken.timed != null && taken.since == NOT_YET) {
      taken.since = taken.host.nanoTime();
    }
  }

  /** What {@code taker} had is given back: tells who wants to know for how long it was held. With no lock held. Never throws. */
  public static void over(@Nullable Object taker) {
    if (taker instanceof Taken taken && taken.timed != null && taken.since != NOT_YET) {
      taken.timed.held(taken.host.nanoTime() - taken.since);
    }
  }

  /** The calling task, with its stack if that is to be written down. Never throws: something has been taken already. */
  public static Object now() {
    Host host = Hosts.current();
    if (host == ThreadHost.INSTANCE && !Watch.withStacks()) {
      return Thread.currentThread();
    }
    try {
      return new Taken(host, host.currentTask(), host.currentTaskId(), stackNow(), null);
    } catch (OutOfMemoryError | StackOverflowError noRoom) {
      // The thread of a task has another number than the task: then it is known by that alone.
      return Thread.currentThread();
    }
  }

  /** No task, but perhaps a line: of whoever asks for something that will belong to a future. */
  public static Object noTask() {
    return Watch.withStacks() ? new Taken(ThreadHost.INSTANCE, null, NOBODY, stackNow(), null) : NO_TASK;
  }

  private static @Nullable Throwable stackNow() {
    return Watch.withStacks() ? new Throwable("taken here") : null;
  }

  /** The number of the task, or {@link #NOBODY}. */
  public static long number(Object taker) {
    return taker instanceof Thread thread ? thread.threadId() : ((Taken) taker).number;
  }

  /** The host of the task. */
  public static Host host(Object taker) {
    return taker instanceof Taken taken ? taken.host : ThreadHost.INSTANCE;
  }

  /** The task as its host knows it, or null if there is none. */
  public static @Nullable Object task(Object taker) {
    return taker instanceof Taken taken ? taken.task : taker;
  }

  /** Where it was taken, from the operation that the user's code called; empty if that was not written down. */
  public static List<StackTraceElement> stack(@Nullable Object taker) {
    return taker instanceof Taken taken && taken.stack != null
        ? Frames.fromOperation(List.of(taken.stack.getStackTrace()))
        : List.of();
  }
}
