// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Hurry;
import dev.baton.world.SteppedWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // a null is given on purpose
class DeadlineTest extends InEveryWorld {
  private final Semaphore never = Semaphore.unbounded(0);
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  private void waitForEver(String name) throws InterruptedException {
    try {
      never.acquire();
    } catch (InterruptedException e) {
      events.add(name);
      throw e;
    }
  }

  /** So many wait by now, and have to before the deadline. */
  private void begun(Hurry hurry, int waiting) {
    Eventually.holds(world(), () -> never.waiting() == waiting);
    hurry.done();
  }

  private void assertNothingLeft() {
    assertThat(never.waiting()).isZero();
    if (world() instanceof SteppedWorld stepped) {
      assertThat(stepped.host().alarms()).isZero();
    }
  }

  @Test
  void pattern04_aDeadlineReachesEveryWaitInside() {
    Hurry.inTime(
        SHORT,
        hurry -> {
          events.clear();
          Actor<Void> owner =
              world()
                  .start(
                      "owner",
                      () -> {
                        try (Scope outer = Scope.open().deadline(hurry.time())) {
                          outer.fork(
                              () ->
                                  Scope.run(
                                      inner -> {
                                        assertThat(Scope.timeLeft()).hasValueSatisfying(d -> assertThat(d).isLessThanOrEqualTo(hurry.time()));
                                        inner.fork(
                                            () -> {
                                              assertThat(Scope.timeLeft()).isPresent();
                                              waitForEver("fork of a fork");
                                            });
                                        waitForEver("fork");
                                      }));
                          try (Scope inner = Scope.open().deadline(LONG)) {
                            assertThat(Scope.timeLeft()).hasValueSatisfying(d -> assertThat(d).isLessThanOrEqualTo(hurry.time()));
                            inner.fork(() -> waitForEver("fork inside"));
                            inner.join();
                          }
                        }
                      });
          begun(hurry, 3);
          world().pass(hurry.time());
          assertThat(owner.failure()).isInstanceOf(DeadlineExceededException.class);
          assertThat(owner.endedInterrupted()).isFalse();
          assertThat(events).containsExactlyInAnyOrder("fork of a fork", "fork", "fork inside");
          assertNothingLeft();
        });
  }

  @Test
  void joinSaysThatTheDeadlineHasPassed() {
    Hurry.inTime(
        SHORT,
        hurry -> {
          Actor<Void> owner =
              world()
                  .start(
                      "owner",
                      () -> {
                        try (Scope scope = Scope.open().deadline(hurry.time())) {
                          Task<?> task = scope.fork(() -> waitForEver("fork"));
                          assertThatThrownBy(scope::join).isInstanceOf(DeadlineExceededException.class);
                          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
                          assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        }
                      });
          begun(hurry, 1);
          world().pass(hurry.time());
          owner.result();
          assertNothingLeft();
        });
  }

  @Test
  void aBlockedOwnerIsWokenAndCloseSaysWhy() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().deadline(SHORT)) {
                    waitForEver(scope.toString());
                  }
                });
    Actor<Void> called =
        world()
            .start(
                "called",
                () ->
                    Scope.run(
                        scope -> {
                          scope.deadline(SHORT);
                          waitForEver("called");
                        }));
    world().pass(SHORT);
    assertThat(owner.failure()).isInstanceOf(InterruptedException.class);
    assertThat(owner.failure().getSuppressed()[0]).isInstanceOf(DeadlineExceededException.class);
    assertThat(owner.endedInterrupted()).isFalse();
    assertThat(called.failure()).isInstanceOf(DeadlineExceededException.class);
    assertNothingLeft();
  }

  @Test
  void aBlockThatOutlastsItsDeadlineUnawaresIsTold() {
    Actor<String> owner =
        world()
            .call(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().deadline(SHORT)) {
                    never.acquireUninterruptibly();
                    return "done in " + scope;
                  }
                });
    world().pass(SHORT.plus(SHORT));
    never.release();
    assertThat(owner.failure()).isInstanceOf(DeadlineExceededException.class);
    assertThat(owner.endedInterrupted()).isFalse();
  }

  @Test
  void theScopeAroundStillWakesItsOwnerAfterTheInnerOneIsClosed() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () ->
                    Scope.run(
                        outer -> {
                          outer.deadline(SHORT);
                          try (Scope inner = Scope.open()) {
                            inner.fork(() -> waitForEver("fork"));
                            inner.join();
                          } catch (DeadlineExceededException expected) {
                            // The interrupt meant for the scope around must still be there.
                            waitForEver("owner");
                          }
                        }));
    world().pass(SHORT);
    assertThat(owner.failure()).isInstanceOf(DeadlineExceededException.class);
    assertThat(events).containsExactly("fork", "owner");
    assertThat(owner.endedInterrupted()).isFalse();
  }

  @Test
  void workThatIsDoneInTimeIsNotDisturbed() {
    Actor<Integer> owner =
        world()
            .call(
                "owner",
                () -> {
                  Task<Integer> task;
                  try (Scope scope = Scope.open().deadline(LONG)) {
                    task = scope.fork(() -> 7);
                    scope.join();
                  }
                  assertThat(Scope.timeLeft()).isEmpty();
                  return task.result();
                });
    assertThat(owner.result()).isEqualTo(7);
    assertNothingLeft();
  }

  @Test
  void nothingIsForkedAfterTheDeadline() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().deadline(SHORT)) {
                    never.acquireUninterruptibly();
                    assertThat(Scope.timeLeft()).contains(Duration.ZERO);
                    assertThatThrownBy(() -> scope.fork(() -> events.add("ran")))
                        .isInstanceOf(DeadlineExceededException.class);
                    assertThatThrownBy(scope::join).isInstanceOf(DeadlineExceededException.class);
                  }
                });
    world().pass(SHORT.plus(SHORT));
    never.release();
    owner.result();
    assertThat(events).isEmpty();
  }

  @Test
  void aDeadlineThatHasPassedIsRefused() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open()) {
                    assertThatThrownBy(() -> scope.deadline(Duration.ZERO))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("positive");
                    assertThatThrownBy(() -> scope.deadline(Duration.ofSeconds(-1)))
                        .isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> scope.deadline(Time.now().minusSeconds(1)))
                        .isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> scope.deadline((Duration) null)).isInstanceOf(NullPointerException.class).hasMessage("time");
                    assertThatThrownBy(() -> scope.deadline((Instant) null)).isInstanceOf(NullPointerException.class).hasMessage("time");
                    scope.deadline(Duration.ofSeconds(Long.MAX_VALUE));
                    assertThat(Scope.timeLeft()).isEmpty();
                    scope.deadline(Time.now().plusSeconds(60));
                    assertThat(Scope.timeLeft()).isPresent();
                    scope.join();
                  }
                });
    owner.result();
    assertNothingLeft();
  }

  @Test
  void anAttemptToForkAfterTheDeadlineSaysSoThoughTheLimitIsReached() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (Scope scope = Scope.open().limit(1).deadline(SHORT)) {
                    scope.fork(() -> never.acquireUninterruptibly());
                    assertThatThrownBy(() -> waitForEver("owner")).isInstanceOf(InterruptedException.class);
                    try {
                      assertThatThrownBy(() -> scope.tryFork(() -> 1)).isInstanceOf(DeadlineExceededException.class);
                    } finally {
                      never.release();
                    }
                    scope.join();
                  }
                });
    world().pass(SHORT.multipliedBy(2));
    assertThat(owner.failure()).isInstanceOf(DeadlineExceededException.class);
    assertNothingLeft();
  }

  @Test
  void aSettingThatIsRefusedLeavesNothingBehind() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  assertThatThrownBy(() -> Scope.open().deadline(SHORT).limit(0)).isInstanceOf(IllegalArgumentException.class);
                  assertThatThrownBy(() -> Scope.open().deadline(SHORT).carry((ContextCarrier) null))
                      .isInstanceOf(NullPointerException.class);
                  assertThat(Scope.timeLeft()).isEmpty();
                  assertNothingLeft();
                  try (Scope scope = Scope.open().deadline(LONG)) {
                    assertThatThrownBy(() -> scope.limit(-1)).isInstanceOf(IllegalArgumentException.class);
                    Task<Boolean> task = scope.fork(() -> Scope.timeLeft().isPresent());
                    scope.join();
                    assertThat(task.result()).isTrue();
                    assertThat(Scope.timeLeft()).isPresent();
                  }
                  Scope unused = Scope.open();
                  assertThatThrownBy(() -> unused.limit(0)).isInstanceOf(IllegalArgumentException.class);
                  try (Scope scope = Scope.open().deadline(LONG)) {
                    unused.close();
                    assertThat(Scope.timeLeft()).isPresent();
                    scope.join();
                  }
                  assertThat(Scope.timeLeft()).isEmpty();
                });
    owner.result();
    assertNothingLeft();
  }
}
