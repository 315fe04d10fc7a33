// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.world.Actor;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that run in every world. */
@ParameterizedClass(name = "{0}")
@EnumSource(Worlds.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
abstract class InEveryWorld {
  static final Duration LONG = Duration.ofHours(1);
  static final Duration SHORT = Duration.ofMillis(20);

  @Parameter Worlds kind;

  private World world;

  World world() {
    if (world == null) {
      world = kind.create();
    }
    return world;
  }

  /** Starts a task that acquires {@code n} and ends; it returns once it waits or has ended. */
  Actor<Void> acquirer(Semaphore semaphore, long n) {
    return world().start("acquire " + n, () -> semaphore.acquire(n));
  }
}
