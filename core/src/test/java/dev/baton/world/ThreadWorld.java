// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Tasks on threads. */
final class ThreadWorld implements World {
  private final Thread.Builder threads;

  ThreadWorld(Thread.Builder threads) {
    this.threads = threads;
  }

  @Override
  public <T> OnThread<T> launch(String name, Callable<T> body) {
    OnThread<T> actor = new OnThread<>(body);
    actor.thread = threads.name(name).start(actor::run);
    return actor;
  }

  @Override
  public <T> OnThread<T> call(String name, Callable<T> body) {
    OnThread<T> actor = launch(name, body);
    await(() -> actor.isDone() || actor.isWaiting(), actor);
    return actor;
  }

  @Override
  public void takeTurns() {
    // As threads do.
  }

  @Override
  public void settle() {
    // Threads run by themselves; results are awaited.
  }

  @Override
  public void pass(Duration time) {
    RealTime.pass(time);
  }

  private static void await(BooleanSupplier condition, OnThread<?> actor) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        AssertionError error = new AssertionError(actor.thread + " is " + actor.thread.getState());
        error.setStackTrace(actor.thread.getStackTrace());
        throw error;
      }
      LockSupport.parkNanos(20_000);
    }
  }

  static final class OnThread<T> extends Actor<T> {
    private Thread thread;

    private OnThread(Callable<T> body) {
      super(body);
    }

    @Override
    public void interrupt() {
      thread.interrupt();
    }

    @Override
    void awaitEnd() {
      await(this::isDone, this);
    }

    @Override
    public boolean isWaiting() {
      return LockSupport.getBlocker(thread) != null
          && switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
          };
    }
  }
}
