// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;

/** A task of a {@link World}. */
public abstract class Actor<T> {
  private final Callable<T> body;
  private volatile T value;
  private volatile Throwable failure;
  private volatile boolean interruptPending;
  private volatile boolean done;

  Actor(Callable<T> body) {
    this.body = body;
  }

  final void run() {
    try {
      value = body.call();
    } catch (Throwable t) {
      failure = t;
    }
    interruptPending = Thread.currentThread().isInterrupted();
    done = true;
  }

  /** Interrupts the task. On a host driven by hand it does not run before the next {@link World#settle}. */
  public abstract void interrupt();

  /** Waits until the task has ended. */
  abstract void awaitEnd();

  /** Whether the task sleeps. */
  public abstract boolean isWaiting();

  public final boolean isDone() {
    return done;
  }

  /** What the task returned; fails if it threw. */
  public final T result() {
    awaitEnd();
    if (failure != null) {
      throw new AssertionError("the task failed", failure);
    }
    return value;
  }

  /** What the task threw. */
  public final Throwable failure() {
    awaitEnd();
    assertThat(failure).as("the task should have failed, but returned %s", value).isNotNull();
    return failure;
  }

  /** Whether the task ended with its interrupt flag set. */
  public final boolean endedInterrupted() {
    awaitEnd();
    return interruptPending;
  }
}
