// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeTest extends InEveryWorld {

  @Test
  void sleepTakesItsTime() {
    Actor<Duration> sleeper =
        world()
            .call(
                "sleeper",
                () -> {
                  Instant start = Time.now();
                  Time.sleep(SHORT);
                  return Duration.between(start, Time.now());
                });
    world().pass(SHORT);
    if (kind == Worlds.STEPPED) {
      assertThat(sleeper.result()).isEqualTo(SHORT);
    } else {
      // The wall clock may be set while we sleep; it is not on a machine that tests.
      assertThat(sleeper.result()).isGreaterThan(SHORT.dividedBy(2));
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what is refused here
  void nullIsNoTimeAtAll() {
    assertThatThrownBy(() -> Time.sleep(null)).isInstanceOf(NullPointerException.class).hasMessage("duration");
  }

  @Test
  void noTimeIsNoSleep() {
    Actor<Void> sleeper =
        world()
            .start(
                "sleeper",
                () -> {
                  Time.sleep(Duration.ZERO);
                  Time.sleep(Duration.ofSeconds(-1));
                });
    sleeper.result();
  }

  @Test
  void aSleeperCanBeInterrupted() {
    Actor<Void> sleeper = world().start("sleeper", () -> Time.sleep(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(sleeper.isWaiting()).isTrue();
    sleeper.interrupt();
    assertThat(sleeper.failure()).isInstanceOf(InterruptedException.class);
    assertThat(sleeper.endedInterrupted()).isFalse();
  }

  @Test
  void anInterruptedCallerDoesNotSleep() {
    Actor<Void> sleeper =
        world()
            .start(
                "sleeper",
                () -> {
                  Thread.currentThread().interrupt();
                  Time.sleep(LONG);
                });
    assertThat(sleeper.failure()).isInstanceOf(InterruptedException.class);
  }
}
