// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.scope.Time;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A world inside a run: the test itself is its first task, which lets the others go first whenever it has to see what they do. */
public final class CheckedWorld implements World {
  private final Host host = Hosts.current();

  @Override
  public <T> Checked<T> launch(String name, Callable<T> body) {
    Checked<T> actor = new Checked<>(body);
    actor.task = (CooperativeTask) host.start(name, actor::run);
    return actor;
  }

  @Override
  public <T> Checked<T> call(String name, Callable<T> body) {
    Checked<T> actor = launch(name, body);
    settle();
    return actor;
  }

  @Override
  public void takeTurns() {
    // As the schedule says.
  }

  @Override
  public void settle() {
    Cooperative.setPriority(Priority.IDLE);
    Cooperative.setPriority(Priority.NORMAL);
  }

  @Override
  public void pass(Duration time) {
    try {
      Time.sleep(time);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts the test", e);
    }
    settle();
  }

  /** A task of this world. */
  public final class Checked<T> extends Actor<T> {
    private CooperativeTask task;

    private Checked(Callable<T> body) {
      super(body);
    }

    @Override
    public void interrupt() {
      host.interrupt(task);
    }

    @Override
    void awaitEnd() {
      host.awaitEnd(task);
    }

    @Override
    public boolean isWaiting() {
      return task.isWaiting();
    }
  }
}
