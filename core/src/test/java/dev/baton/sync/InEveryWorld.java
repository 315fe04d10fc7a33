// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.world.Actor;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that run in every world. */
@ParameterizedClass(name = "{0}")
@EnumSource(Worlds.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
public abstract class InEveryWorld {
  protected static final Duration LONG = Duration.ofHours(1);
  protected static final Duration SHORT = Duration.ofMillis(20);

  @Parameter protected Worlds kind;

  private World world;

  protected World world() {
    if (world == null) {
      world = kind.create();
    }
    return world;
  }

  /** Runs {@code tasks} tasks side by side until all have ended. */
  protected void together(int tasks, World.Step body) {
    world().takeTurns();
    IntStream.range(0, tasks)
        .mapToObj(
            i ->
                world()
                    .launch(
                        "task " + i,
                        () -> {
                          body.run();
                          return null;
                        }))
        .toList()
        .forEach(Actor::result);
  }

  /** Starts a task that acquires {@code n} and ends; it returns once it waits or has ended. */
  Actor<Void> acquirer(Semaphore semaphore, long n) {
    return world().start("acquire " + n, () -> semaphore.acquire(n));
  }
}
