// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.sync.Semaphore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class TimeoutTest extends OnBothEngines {
  private static final Timeout TEN_SECONDS = Timeout.after(Duration.ofSeconds(10));

  record Fetch(int seconds) implements Effect<String> {}

  private static void seconds(int n) {
    sleep(Duration.ofSeconds(n));
  }

  @Test
  void aProgramThatIsInTimeReturnsItsValueAtOnceAndLeavesNothingBehind() {
    RunResult<Instant> result =
        result(
            () -> {
              int value = TEN_SECONDS.run(() -> { seconds(3); return 42; });
              assertThat(value).isEqualTo(42);
              return now();
            });
    assertThat(result.value()).isEqualTo(Instant.ofEpochSecond(103));
    assertThat(result.leftOver()).isEmpty();
    assertThat(result.unobservedFailures()).isEmpty();
  }

  @Test
  void aProgramThatIsTooSlowIsCancelledAndHasCleanedUpWhenTheTimeoutIsThrown() {
    List<String> order = new ArrayList<>();
    RunResult<Instant> result =
        result(
            () -> {
              assertThatThrownBy(
                      () ->
                          TEN_SECONDS.run(
                              () -> {
                                try {
                                  seconds(60);
                                  return "never";
                                } finally {
                                  seconds(5);
                                  order.add("cleaned up");
                                }
                              }))
                  .isInstanceOf(TimeoutException.class)
                  .hasMessageContaining("PT10S");
              order.add("thrown");
              return now();
            });
    assertThat(result.value()).isEqualTo(Instant.ofEpochSecond(115));
    assertThat(order).containsExactly("cleaned up", "thrown");
    assertThat(result.leftOver()).isEmpty();
    assertThat(result.unobservedFailures()).isEmpty();
  }

  @Test
  void whatGoesWrongInTheCleanUpIsSuppressed() throws Exception {
    value(
        () -> {
          assertThatThrownBy(
                  () ->
                      TEN_SECONDS.run(
                          () -> {
                            try {
                              seconds(60);
                              return null;
                            } finally {
                              failing();
                            }
                          }))
              .isInstanceOfSatisfying(
                  TimeoutException.class, late -> assertThat(late.getSuppressed()).hasOnlyElementsOfType(IOException.class).hasSize(1));
          return null;
        });
  }

  private static void failing() throws IOException {
    throw new IOException("clean-up");
  }

  @Test
  void anErrorIsThrownAsItIs() {
    IOException error = new IOException("as it is");
    RunResult<Object> result =
        result(
            () -> {
              assertThatThrownBy(() -> TEN_SECONDS.run(() -> { seconds(1); throw error; })).isSameAs(error);
              assertThat(now()).isEqualTo(Instant.ofEpochSecond(101));
              return null;
            });
    assertThat(result.error()).isEmpty();
    assertThat(result.unobservedFailures()).isEmpty();
    assertThat(result.leftOver()).isEmpty();
  }

  @Test
  void stateAndLogStayWhicheverWayItEnds() {
    RunResult<Object> result =
        result(
            () -> {
              put("n", 1);
              TEN_SECONDS.run(
                  () -> {
                    put("n", Effects.<Integer>get("n") + 1);
                    tell("in time");
                    return null;
                  });
              assertThat(Effects.<Integer>get("n")).isEqualTo(2);
              assertThatThrownBy(
                      () ->
                          TEN_SECONDS.run(
                              () -> {
                                put("n", 3);
                                try {
                                  seconds(60);
                                } finally {
                                  tell("late");
                                }
                                return null;
                              }))
                  .isInstanceOf(TimeoutException.class);
              return get("n");
            });
    assertThat(result.value()).isEqualTo(3);
    assertThat(result.messages()).containsExactly("in time", "late");
  }

  @Test
  void withoutTimeNothingBegins() throws Exception {
    value(
        () -> {
          for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> Timeout.after(none).run(() -> { throw new AssertionError(); }))
                .isInstanceOf(TimeoutException.class);
          }
          return null;
        });
  }

  @Test
  void whoIsCancelledMeanwhileCancelsTheProgramToo() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore one = semaphore(1);
          Task<Object> task =
              spawn(
                  () ->
                      TEN_SECONDS.run(
                          () -> {
                            acquire(one);
                            try {
                              seconds(9);
                              return null;
                            } finally {
                              seconds(3);
                              Effects.release(one);
                              order.add("cleaned up at " + now().getEpochSecond());
                            }
                          }));
          seconds(1);
          task.cancel();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          order.add("told at " + now().getEpochSecond());
          assertThat(one.available()).isEqualTo(1);
          return null;
        });
    assertThat(order).containsExactly("cleaned up at 104", "told at 104");
  }

  @Test
  void theInnerOfTwoLimitsCountsIfItIsShorter() throws Exception {
    value(
        () -> {
          assertThatThrownBy(() -> TEN_SECONDS.run(() -> Timeout.after(Duration.ofSeconds(2)).run(() -> { seconds(60); return null; })))
              .isInstanceOf(TimeoutException.class)
              .hasMessageContaining("PT2S");
          assertThat(now()).isEqualTo(Instant.ofEpochSecond(102));
          assertThatThrownBy(() -> TEN_SECONDS.run(() -> Timeout.after(Duration.ofSeconds(20)).run(() -> { seconds(60); return null; })))
              .isInstanceOf(TimeoutException.class)
              .hasMessageContaining("PT10S");
          return null;
        });
  }

  @Test
  void asAHandlerItBoundsTheEffectsOfAClass() throws Exception {
    Handlers slow = Handlers.of(Fetch.class, fetch -> { seconds(fetch.seconds()); return "fetched"; });
    value(
        () ->
            handle(
                slow.with(TEN_SECONDS.handling(Fetch.class)),
                () -> {
                  assertThat(perform(new Fetch(9))).isEqualTo("fetched");
                  assertThatThrownBy(() -> perform(new Fetch(11))).isInstanceOf(TimeoutException.class);
                  return null;
                }));
  }

  @Test
  void nothingIsLostUnderAnySchedule() {
    runner()
        .check(
            () -> {
              Semaphore one = semaphore(1);
              List<Task<Object>> tasks = new ArrayList<>();
              for (int i = 0; i < 2; i++) {
                tasks.add(
                    spawn(
                        () ->
                            Effects.attempt(
                                () -> TEN_SECONDS.run(() -> Effects.withPermit(one, () -> { seconds(8); return 1; })))));
              }
              Effects.gather(tasks);
              assertThat(one.available()).isEqualTo(1);
              return null;
            })
        .engine(engine)
        .seeds(60)
        .run();
  }

  @Test
  void whatAHandlerDoesAfterTheBoundedProgramHasEndedStaysToo() {
    RunResult<Object> result =
        result(
            () ->
                Effects.<String, Fetch, Object>handle(
                    Fetch.class,
                    (fetch, rest) -> {
                      Object end = rest.resume("page");
                      put("fetched", fetch.seconds());
                      tell("end of " + end);
                      return end;
                    },
                    () -> {
                      TEN_SECONDS.run(() -> { tell("begun"); return perform(new Fetch(7)); });
                      return get("fetched");
                    }));
    assertThat(result.value()).isEqualTo(7);
    assertThat(result.messages()).containsExactly("begun", "end of page");
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // the class of an effect says nothing about its type arguments
  void aHandlerOfItsRaceThatEndsTheProgramDoesSoAlsoIfTheBoundedOneHasEnded() throws Exception {
    List<String> seen = new ArrayList<>();
    Handlers impatient =
        Handlers.resuming(
            Race.class,
            (Race race, Resumption<RaceResult, String> rest) -> {
              seconds(2);
              return "ended";
            });
    Program<String> program =
        () -> {
          TEN_SECONDS.run(() -> { seconds(1); return 42; });
          seen.add("went on");
          return "returned";
        };
    assertThat(this.<String>value(() -> handle(impatient, program))).isEqualTo("ended");
    assertThat(seen).isEmpty();
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // as above
  void aHandlerOfItsWaitsThatEndsTheProgramDoesSoWhenTheBoundedOneHasCleanedUp() throws Exception {
    List<String> seen = new ArrayList<>();
    Handlers impatient = Handlers.resuming(Wait.class, (Wait wait, Resumption<Object, String> rest) -> "ended");
    Program<String> program =
        () -> {
          TEN_SECONDS.run(
              () -> {
                try {
                  seconds(20);
                } finally {
                  seconds(3);
                  seen.add("cleaned up");
                }
                return 42;
              });
          seen.add("went on");
          return "returned";
        };
    RunResult<String> result =
        result(
            () -> {
              String value = handle(impatient, program);
              seen.add(value);
              return value;
            });
    assertThat(result.value()).isEqualTo("ended");
    assertThat(result.leftOver()).isEmpty();
    assertThat(seen).containsExactly("cleaned up", "ended");
  }

  @Test
  void aPermitThatTheBoundedTaskHasIsNotLostIfTheCallerIsCancelled() throws Exception {
    for (int steps = 0; steps < 12; steps++) {
      int yields = steps;
      long free =
          value(
              () -> {
                Semaphore semaphore = semaphore(1);
                acquire(semaphore);
                Program<Object> inside = () -> Effects.withPermit(semaphore, () -> null);
                Task<Object> task = spawn(() -> handle(TEN_SECONDS.handling(AcquireSemaphore.class), inside));
                seconds(1);
                Effects.release(semaphore);
                for (int i = 0; i < yields; i++) {
                  Effects.yieldNow();
                }
                Effects.cancel(task);
                Effects.attempt(() -> join(task));
                return semaphore.available();
              });
      assertThat(free).as("cancelled after %d turns", yields).isEqualTo(1);
    }
  }

  @Test
  void aPermitThatTheBoundedTaskHasTriedForIsNotLostIfTheCallerIsCancelled() throws Exception {
    for (int steps = 0; steps < 12; steps++) {
      int yields = steps;
      long free =
          value(
              () -> {
                Semaphore semaphore = semaphore(1);
                Program<Object> inside =
                    () -> {
                      if (Effects.tryAcquire(semaphore)) {
                        Effects.release(semaphore);
                      }
                      return null;
                    };
                Task<Object> task = spawn(() -> handle(TEN_SECONDS.handling(TryAcquireSemaphore.class), inside));
                for (int i = 0; i < yields; i++) {
                  Effects.yieldNow();
                }
                Effects.cancel(task);
                Effects.attempt(() -> join(task));
                return semaphore.available();
              });
      assertThat(free).as("cancelled after %d turns", yields).isEqualTo(1);
    }
  }
}
