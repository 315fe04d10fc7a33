// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HurryTest {
  private final List<Duration> tried = new ArrayList<>();

  @Test
  void whatTheMachineWasTooSlowForIsTriedWithMoreTime() {
    Hurry.inTime(
        Duration.ofMillis(1),
        hurry -> {
          tried.add(hurry.time());
          RealTime.pass(Duration.ofMillis(2));
          hurry.done();
          assertThat(tried).hasSizeGreaterThan(1);
        });
    assertThat(tried).startsWith(Duration.ofMillis(1), Duration.ofMillis(2));
  }

  @Test
  void whatFailsThoughThereWasTimeFailsAtOnce() {
    assertThatThrownBy(
            () ->
                Hurry.inTime(
                    World.PATIENCE,
                    hurry -> {
                      tried.add(hurry.time());
                      hurry.done();
                      throw new AssertionError("wrong");
                    }))
        .hasMessage("wrong");
    assertThat(tried).hasSize(1);
  }

  @Test
  void timeThatWasLetPassIsNotHurry() {
    assertThatThrownBy(
            () ->
                Hurry.inTime(
                    World.PATIENCE,
                    hurry -> {
                      tried.add(hurry.time());
                      hurry.done(World.PATIENCE);
                      throw new AssertionError("wrong");
                    }))
        .hasMessage("wrong");
    assertThat(tried).hasSize(1);
  }
}
