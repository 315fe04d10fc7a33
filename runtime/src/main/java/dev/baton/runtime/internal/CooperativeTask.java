// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Priority;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A task of a {@link CooperativeHost}. All of it belongs to whoever has the turn, but for what is volatile.
 *
 * <p>It is also what its thread runs, and where the stepped engine is told that this thread could go on: classes of their own for
 * that would cost every task two more objects. There may be a million of them, so that its fields are as small as they can be.
 */
public final class CooperativeTask implements Executor, Runnable {

  /** What it is doing. */
  enum State {
    /** Can run, and has not yet. */
    NEW,
    /** Can run, or has the turn: which of the two, only the turn says, so that nothing is written here when it goes on. */
    RUNNABLE,
    /** Waits in an operation of Baton's. */
    PARKED,
    /** Waits for something else. */
    OUTSIDE,
    /** Is over. */
    ENDED
  }

  private static final VarHandle READY;

  static {
    try {
      READY = MethodHandles.lookup().findVarHandle(CooperativeTask.class, "ready", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Lifecycle lifecycle;
  final int number;
  private final String name;

  /** What it is there for; null once it has begun. */
  private @Nullable Runnable body;

  /** What it is doing, as a number: a reference would cost a barrier of the garbage collector, twice at each wait. */
  private byte state;

  /** Its priority as a number, lowest first. */
  byte level;

  /** Its thread; null once it has ended. */
  @Nullable Thread thread;

  /** Whether its next park returns at once. */
  boolean unparked;

  /** Whether its thread is to be interrupted when it has the turn. */
  boolean interruptPending;

  /** Whether it waits for something that was made outside of the run; known once {@link Waits} was asked. */
  boolean waitsForOutside;

  /** Whether it waits for something, and whether that was made outside has not been found out. */
  boolean waitsForSomething;

  /** Whether it stands in the list of those of whom that is to be found out. */
  boolean listed;

  /** Whether it is to be thrown out of whatever it waits for. */
  boolean unwinding;

  /** How many operations it has begun since it was to end. */
  short stepsWhileUnwinding;

  /** Who lives in it, if a layer above the host has tasks of its own. */
  @Nullable Resident resident;

  /** Whether its operations are parts of a larger one, which was a step already: they are none. */
  boolean quiet;

  /** What it does for another task; null: it works for itself. */
  @Nullable Errand errand;

  /** What it waits for. */
  @Nullable Object blocker;

  /** When its wait began. */
  long since;

  /** Who waits for its end, and who else waits for the same one. */
  @Nullable CooperativeTask firstJoiner;

  @Nullable CooperativeTask nextJoiner;

  /** Its neighbours among those that have not ended. */
  @Nullable CooperativeTask previous;

  @Nullable CooperativeTask next;

  // ---- for the engines ----

  /** Whether its thread has been started. */
  boolean started;

  /** Stepped: whether its thread could go on. A flag beside what runs it: to store a reference costs more. */
  private volatile boolean ready;

  /** Stepped: runs the thread of this task, and never that of another. Set before the thread has run at all. */
  private volatile @Nullable Runnable own;

  /** Stepped: whether we have caused the next continuation ourselves. */
  boolean expected;

  CooperativeTask(Lifecycle lifecycle, int number, String name, Priority priority, Runnable body) {
    this.lifecycle = lifecycle;
    this.number = number;
    this.name = name;
    this.body = body;
    this.level = levelOf(priority);
  }

  private static byte levelOf(Priority priority) {
    return switch (priority) {
      case IDLE -> 0;
      case NORMAL -> 1;
      case HIGH -> 2;
    };
  }

  void setPriority(Priority priority) {
    level = levelOf(priority);
  }

  Priority priority() {
    return switch (level) {
      case 0 -> Priority.IDLE;
      case 1 -> Priority.NORMAL;
      default -> Priority.HIGH;
    };
  }

  /** Its life, on its own thread. */
  @Override
  public void run() {
    Runnable work = Objects.requireNonNull(body);
    body = null;
    lifecycle.live(this, work);
  }

  /** Who takes what it takes, and is spoken of: itself, or the task that it works for. */
  CooperativeTask owner() {
    return errand == null ? this : errand.owner;
  }

  /** The name that it, or the task it works for, was given, or one by its number. */
  public String name() {
    CooperativeTask named = owner();
    return named.name.isEmpty() ? "task " + named.number : named.name;
  }

  /** The number of the task among all of its run; the first one is 0. */
  public int number() {
    return number;
  }

  /** Whether it has not begun. */
  public boolean isNew() {
    return is(State.NEW);
  }

  /** Whether it runs, or could. */
  public boolean isRunnable() {
    return is(State.RUNNABLE);
  }

  /** Whether it has the turn. */
  public boolean isRunning() {
    return lifecycle.scheduler().current() == this;
  }

  /** From now on its operations are parts of a larger one, and no steps of their own; or are again. */
  public void setQuiet(boolean value) {
    quiet = value;
  }

  /** Whether it waits in an operation of Baton's. Asked by whoever has the turn. */
  public boolean isWaiting() {
    return is(State.PARKED);
  }

  @SuppressWarnings("EnumOrdinal") // as it was stored by become
  boolean is(State asked) {
    return state == asked.ordinal();
  }

  @SuppressWarnings("EnumOrdinal") // as it is read by is
  void become(State next) {
    state = (byte) next.ordinal();
  }

  /** Portable: somebody has interrupted its thread while that waited for its turn. */
  void wasInterrupted() {
    lifecycle.scheduler().interruptedByThread(this);
  }

  /** Stepped: what runs its thread on, or null if that could not go on. */
  @Nullable Runnable continuation() {
    return ready ? own : null;
  }

  /** It is about to be run. There is no other one until its thread has gone to sleep again. */
  void takeContinuation() {
    READY.setOpaque(this, false);
  }

  /**
   * Stepped: the thread could go on. Called by whoever wakes it, be that a foreign thread.
   *
   * <p>A virtual thread that the task has started without a Scope asks here too: it has inherited our scheduler. It is none of our
   * tasks, and runs where it would have run otherwise.
   */
  @Override
  public void execute(Runnable command) {
    if (own == null) {
      own = command;
    } else if (own != command) {
      SteppedThreads.runElsewhere(command);
      return;
    }
    // Release: the loop looks again until it sees it, or is told by a message.
    READY.setRelease(this, true);
    if (expected) {
      expected = false;
    } else {
      lifecycle.scheduler().couldGoOn(this);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
