// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.world.Actor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OnceCellTest extends InEveryWorld {
  private final OnceCell<String> cell = new OnceCell<>();
  private final Event go = new Event();
  private final AtomicInteger runs = new AtomicInteger();

  /** Initializes once {@link #go} is set. */
  private Actor<String> slow(String value) {
    return world()
        .call(
            "slow " + value,
            () ->
                cell.getOrInit(
                    () -> {
                      runs.incrementAndGet();
                      go.await();
                      return value;
                    }));
  }

  private Actor<String> quick(String value) {
    return world()
        .call(
            "quick " + value,
            () ->
                cell.getOrInit(
                    () -> {
                      runs.incrementAndGet();
                      return value;
                    }));
  }

  @Test
  void case86_ofTwoInitializersOneRunsAndBothSeeItsValue() {
    Actor<String> first = slow("first");
    Actor<String> second = quick("second");
    assertThat(second.isWaiting()).isTrue();
    assertThat(cell.waiting()).isEqualTo(1);
    go.set();
    assertThat(first.result()).isEqualTo("first");
    assertThat(second.result()).isEqualTo("first");
    assertThat(runs.get()).isEqualTo(1);
    assertThat(quick("third").result()).isEqualTo("first");
    assertThat(runs.get()).isEqualTo(1);
    assertThat(cell.waiting()).isZero();
  }

  @Test
  void case86_ofManyInitializersOneRuns() {
    OnceCell<Integer> number = new OnceCell<>();
    together(
        50,
        () -> {
          int mine = number.getOrInit(runs::incrementAndGet);
          assertThat(mine).isEqualTo(1);
        });
    assertThat(runs.get()).isEqualTo(1);
    assertThat(number.get()).contains(1);
  }

  @Test
  void aFailedInitializerLetsTheNextOneTry() {
    for (Throwable failure :
        List.of(new IOException("checked"), new IllegalStateException("unchecked"), new AssertionError("error"))) {
      OnceCell<String> fresh = new OnceCell<>();
      Event fail = new Event();
      Actor<String> failing =
          world()
              .call(
                  "failing",
                  () ->
                      fresh.getOrInit(
                          () -> {
                            fail.await();
                            if (failure instanceof Error error) {
                              throw error;
                            }
                            throw (Exception) failure;
                          }));
      Actor<String> next = world().call("next", () -> fresh.getOrInit(() -> "next"));
      Actor<String> third = world().call("third", () -> fresh.getOrInit(() -> "third"));
      assertThat(fresh.waiting()).isEqualTo(2);
      fail.set();
      assertThat(failing.failure()).isSameAs(failure);
      assertThat(next.result()).isEqualTo("next");
      assertThat(third.result()).isEqualTo("next");
    }
  }

  @Test
  void aFailedInitializerLeavesTheCellUnset() {
    assertThatThrownBy(
            () ->
                cell.getOrInit(
                    () -> {
                      throw new IOException("as it is");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(cell.isSet()).isFalse();
    assertThat(cell.toString()).contains("unset");
    cell.set("later");
    assertThat(cell.get()).contains("later");
  }

  @Test
  void aCancelledInitializerLetsTheNextOneTry() {
    Actor<String> cancelled = slow("cancelled");
    Actor<String> next = quick("next");
    cancelled.interrupt();
    assertThat(cancelled.failure()).isInstanceOf(InterruptedException.class);
    assertThat(next.result()).isEqualTo("next");
    assertThat(runs.get()).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("NullAway") // an initializer without null checks
  void anInitializerThatReturnsNullLeavesTheCellUnsetAndTheNextOneTries() {
    Actor<String> nothing =
        world()
            .call(
                "nothing",
                () ->
                    cell.getOrInit(
                        () -> {
                          go.await();
                          return null;
                        }));
    Actor<String> next = quick("next");
    go.set();
    assertThat(nothing.failure()).isInstanceOf(NullPointerException.class).hasMessageContaining("returned null");
    assertThat(next.result()).isEqualTo("next");
  }

  @Test
  void case88_settingTwiceIsAnErrorThatCarriesBothValues() {
    cell.set("one");
    AlreadySetException error = catchThrowableOfType(AlreadySetException.class, () -> cell.set("two"));
    assertThat(error.value()).isEqualTo("one");
    assertThat(error.rejected()).isEqualTo("two");
    assertThat(cell.trySet("three")).isFalse();
    assertThat(cell.get()).contains("one");
    assertThat(cell.toString()).contains("[set]");
  }

  @Test
  void case88_settingWhileAnInitializerRunsIsAnErrorOfItsOwn() {
    Actor<String> initializer = slow("computed");
    assertThatThrownBy(() -> cell.set("given"))
        .isInstanceOf(InitializingException.class)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("initializing");
    assertThat(cell.trySet("given")).isFalse();
    go.set();
    assertThat(initializer.result()).isEqualTo("computed");
    assertThatThrownBy(() -> cell.set("given")).isInstanceOf(AlreadySetException.class);
  }

  @Test
  void case89_beforeItIsSetThereIsNothingToGet() {
    assertThat(cell.get()).isEmpty();
    assertThat(cell.isSet()).isFalse();
    Actor<String> initializer = slow("computed");
    assertThat(cell.get()).isEmpty();
    assertThat(cell.isSet()).isFalse();
    assertThat(cell.toString()).contains("initializing");
    go.set();
    assertThat(initializer.result()).isEqualTo("computed");
    assertThat(cell.get()).contains("computed");
    assertThat(cell.isSet()).isTrue();
  }

  /** Plain fields, written one after the other. */
  private static final class Pair {
    int left;
    int right;
  }

  @Test
  void case89_readersNeverSeeAHalfBuiltValue() {
    OnceCell<Pair> pair = new OnceCell<>();
    AtomicInteger readers = new AtomicInteger();
    together(
        8,
        () -> {
          if (readers.getAndIncrement() == 0) {
            pair.getOrInit(
                () -> {
                  Pair made = new Pair();
                  made.left = 1;
                  assertThat(pair.isSet()).isFalse();
                  made.right = 1;
                  return made;
                });
          }
          for (int look = 0; look < 100; look++) {
            pair.get().ifPresent(seen -> assertThat(seen.left + seen.right).isEqualTo(2));
          }
        });
    assertThat(pair.isSet()).isTrue();
  }

  @Test
  void case90_anInitializerThatAsksForItsOwnValueGetsAnErrorAndCanStillSucceed() {
    Actor<String> recursive =
        world()
            .call(
                "recursive",
                () ->
                    cell.getOrInit(
                        () -> {
                          assertThatThrownBy(() -> cell.getOrInit(() -> "inner"))
                              .isInstanceOf(IllegalStateException.class)
                              .hasMessageContaining("asks for the value it is computing");
                          assertThatThrownBy(() -> cell.getOrInit(LONG, () -> "inner"))
                              .isInstanceOf(IllegalStateException.class);
                          assertThatThrownBy(() -> cell.getOrInit(Duration.ZERO, () -> "inner"))
                              .isInstanceOf(IllegalStateException.class);
                          assertThatThrownBy(() -> cell.set("inner")).isInstanceOf(InitializingException.class);
                          assertThat(cell.get()).isEmpty();
                          return "outer";
                        }));
    assertThat(recursive.result()).isEqualTo("outer");
    assertThat(cell.get()).contains("outer");
  }

  @Test
  void case90_afterAFailureTheSameTaskMayTryAgain() throws Exception {
    assertThatThrownBy(() -> cell.getOrInit(() -> cell.getOrInit(() -> "inner")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cell.getOrInit(() -> "again")).isEqualTo("again");
  }

  @Test
  void aWaitForAnotherInitializerEndsOnInterruptAndTimeOut() {
    Actor<String> initializer = slow("computed");
    Actor<String> interrupted = quick("interrupted");
    Actor<String> timed = world().call("timed", () -> cell.getOrInit(SHORT, () -> "timed"));
    Actor<String> patient = world().call("patient", () -> cell.getOrInit(LONG, () -> "patient"));
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining("has not run");
    assertThat(cell.waiting()).isEqualTo(1);
    go.set();
    assertThat(initializer.result()).isEqualTo("computed");
    assertThat(patient.result()).isEqualTo("computed");
    assertThat(runs.get()).isEqualTo(1);
  }

  @Test
  void whoCannotBeInterruptedWaitsOnAndKeepsTheInterrupt() {
    Actor<String> initializer = slow("computed");
    Actor<String> waiting =
        world().call("waiting", () -> cell.getOrInitUninterruptibly(() -> "mine"));
    assertThat(waiting.isWaiting()).isTrue();
    waiting.interrupt();
    world().settle();
    assertThat(cell.waiting()).isEqualTo(1);
    go.set();
    assertThat(initializer.result()).isEqualTo("computed");
    assertThat(waiting.result()).isEqualTo("computed");
    assertThat(waiting.endedInterrupted()).isTrue();
  }

  @Test
  void whoCannotBeInterruptedInitializesLikeEverybodyElse() {
    Actor<String> interrupted =
        world()
            .call(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  return cell.getOrInitUninterruptibly(
                      () -> {
                        assertThatThrownBy(() -> cell.getOrInitUninterruptibly(() -> "inner"))
                            .isInstanceOf(IllegalStateException.class);
                        return "outer";
                      });
                });
    assertThat(interrupted.result()).isEqualTo("outer");
    assertThat(interrupted.endedInterrupted()).isTrue();
    OnceCell<String> failed = new OnceCell<>();
    assertThatThrownBy(
            () ->
                failed.getOrInitUninterruptibly(
                    () -> {
                      throw new IOException("not yet");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(failed.getOrInitUninterruptibly(() -> "again")).isEqualTo("again");
    assertThat(failed.getOrInitUninterruptibly(() -> "late")).isEqualTo("again");
  }

  @Test
  void whoMayNotWaitInitializesOrGivesUp() throws Exception {
    Actor<String> initializer = slow("computed");
    for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThatThrownBy(() -> cell.getOrInit(none, () -> "mine")).isInstanceOf(TimeoutException.class);
    }
    assertThat(cell.waiting()).isZero();
    go.set();
    initializer.result();
    assertThat(cell.getOrInit(Duration.ZERO, () -> "mine")).isEqualTo("computed");
    OnceCell<String> fresh = new OnceCell<>();
    assertThat(fresh.getOrInit(Duration.ZERO, () -> "mine")).isEqualTo("mine");
  }

  @Test
  void anInterruptedCallerInitializesNothing() {
    Actor<String> caller =
        world()
            .call(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  return cell.getOrInit(() -> "mine");
                });
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(cell.isSet()).isFalse();
    cell.set("given");
    Actor<String> late =
        world()
            .call(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  return cell.getOrInit(() -> "mine");
                });
    assertThat(late.result()).isEqualTo("given");
    assertThat(late.endedInterrupted()).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void badInputIsRefusedAtOnceAndChangesNothing() {
    assertThatThrownBy(() -> cell.set(null)).isInstanceOf(NullPointerException.class).hasMessageContaining("null");
    assertThatThrownBy(() -> cell.trySet(null)).isInstanceOf(NullPointerException.class).hasMessageContaining("null");
    assertThatThrownBy(() -> cell.getOrInit(null)).isInstanceOf(NullPointerException.class).hasMessageContaining("init");
    assertThatThrownBy(() -> cell.getOrInit(null, () -> "value")).isInstanceOf(NullPointerException.class);
    assertThat(cell.toString()).contains("unset");
    assertThat(cell.trySet("value")).isTrue();
    assertThatThrownBy(() -> cell.getOrInit(null)).isInstanceOf(NullPointerException.class).hasMessageContaining("init");
  }

  @Test
  void ofTwoWhoSetItAtOnceTheOtherIsToldTheValue() {
    for (int round = 0; round < 2_000; round++) {
      OnceCell<String> cell = new OnceCell<>();
      List<Actor<Boolean>> both = Stream.of("a", "b").map(value -> world().call(value, () -> isFirst(cell, value))).toList();
      assertThat(both.stream().filter(Actor::result)).hasSize(1);
    }
  }

  private static boolean isFirst(OnceCell<String> cell, String value) {
    try {
      cell.set(value);
      return true;
    } catch (AlreadySetException set) {
      assertThat(cell.get()).isPresent();
      return false;
    }
  }
}
