// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Somewhere to run tasks that wait. The same tests run in each. */
public interface World {

  /** The deadline for anything that must happen. */
  Duration PATIENCE = Duration.ofSeconds(20);

  /** Starts a task and does not look back. */
  <T> Actor<T> launch(String name, Callable<T> body);

  /** Starts a task and returns once it waits or has ended. */
  <T> Actor<T> call(String name, Callable<T> body);

  /** From now on tasks that were launched run side by side, each operation of one between those of others. */
  void takeTurns();

  /** Lets everything that can happen happen. */
  void settle();

  /** Lets time pass. */
  void pass(Duration time);

  /** A task that does not return a value. */
  default Actor<Void> start(String name, Step body) {
    return call(
        name,
        () -> {
          body.run();
          return null;
        });
  }

  /** Code that may throw. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }
}
