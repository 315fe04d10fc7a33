// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Tasks on a {@link StepHost}. */
public final class SteppedWorld implements World {
  private final StepHost host = new StepHost(42);

  public StepHost host() {
    return host;
  }

  @Override
  public <T> Stepped<T> launch(String name, Callable<T> body) {
    Stepped<T> actor = new Stepped<>(body);
    actor.task = host.start(name, actor::run);
    return actor;
  }

  @Override
  public <T> Stepped<T> call(String name, Callable<T> body) {
    Stepped<T> actor = launch(name, body);
    settle();
    return actor;
  }

  @Override
  public void takeTurns() {
    host.takeTurns();
  }

  @Override
  public void settle() {
    host.settle();
  }

  @Override
  public void pass(Duration time) {
    host.advance(time.toNanos());
    settle();
  }

  /** A task that can be stepped. */
  public final class Stepped<T> extends Actor<T> {
    private StepHost.Task task;

    private Stepped(Callable<T> body) {
      super(body);
    }

    public StepHost.Task task() {
      return task;
    }

    @Override
    public void interrupt() {
      host.interrupt(task);
    }

    @Override
    void awaitEnd() {
      settle();
      if (!isDone()) {
        throw new AssertionError("task " + task + " is " + task.state() + " and nothing can wake it");
      }
    }

    @Override
    public boolean isWaiting() {
      return task.state() == StepHost.State.PARKED;
    }
  }
}
