// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Frames;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
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

  private static final Taken NO_TASK = new Taken(ThreadHost.INSTANCE, null, NOBODY, null);

  private Taker() {}

  /**
   * A taker of which more is known than the thread.
   *
   * @param task null if what was taken belongs to no task
   * @param stack where; the trace is worked out when somebody asks for it
   */
  private record Taken(Host host, @Nullable Object task, long number, @Nullable Throwable stack) {}

  /** The calling task, with its stack if that is to be written down. Never throws: something has been taken already. */
  public static Object now() {
    Host host = Hosts.current();
    if (host == ThreadHost.INSTANCE && !Watch.withStacks()) {
      return Thread.currentThread();
    }
    try {
      return new Taken(host, host.currentTask(), host.currentTaskId(), stackNow());
    } catch (OutOfMemoryError | StackOverflowError noRoom) {
      // The thread of a task has another number than the task: then it is known by that alone.
      return Thread.currentThread();
    }
  }

  /** No task, but perhaps a line: of whoever asks for something that will belong to a future. */
  public static Object noTask() {
    return Watch.withStacks() ? new Taken(ThreadHost.INSTANCE, null, NOBODY, stackNow()) : NO_TASK;
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
