// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/**
 * A timer is later than the clock: by as long as it takes to wake its thread, and on a busy machine by much more. So only on threads, where
 * time passes by itself.
 */
@Timeout(60)
class LateTimerTest {
  private static void spinUntilTheDeadline() {
    while (Scope.timeLeft().orElseThrow().isPositive()) {
      Thread.onSpinWait();
    }
  }

  @RepeatedTest(20)
  void aBlockThatIsLeftJustAfterItsDeadlineIsTold() {
    assertThatThrownBy(
            () -> {
              try (Scope scope = Scope.open().deadline(Duration.ofMillis(1))) {
                spinUntilTheDeadline();
                assertThat(scope).isNotNull();
              }
            })
        .isInstanceOf(DeadlineExceededException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @RepeatedTest(20)
  void soIsOneWithABody() {
    assertThatThrownBy(
            () ->
                Scope.run(
                    scope -> {
                      scope.deadline(Duration.ofMillis(1));
                      spinUntilTheDeadline();
                    }))
        .isInstanceOf(DeadlineExceededException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @RepeatedTest(20)
  void oneThatWasJoinedInTimeIsNot() throws Exception {
    Task<String> task;
    try (Scope scope = Scope.open().deadline(Duration.ofSeconds(20))) {
      task = scope.fork(() -> "in time");
      scope.join();
    }
    assertThat(task.result()).isEqualTo("in time");
  }
}
