// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryTest extends OnBothEngines {

  record Fetch(String url) implements Effect<String> {}

  /** When each attempt began, in milliseconds. */
  private List<Long> times(Retry retry, int failures, long seed) throws Exception {
    List<Long> times = new ArrayList<>();
    runner()
        .seed(seed)
        .run(
            () -> {
              long start = now().toEpochMilli();
              return retry.run(
                  () -> {
                    times.add(now().toEpochMilli() - start);
                    if (times.size() <= failures) {
                      throw new IOException("attempt " + times.size());
                    }
                    return "done";
                  });
            })
        .orThrow();
    return times;
  }

  @Test
  void itTriesAgainUntilItSucceedsAndWaitsLongerEachTime() throws Exception {
    Retry retry = Retry.attempts(6).delay(Duration.ofMillis(100)).factor(2);
    assertThat(times(retry, 0, 0)).containsExactly(0L);
    assertThat(times(retry, 4, 0)).containsExactly(0L, 100L, 300L, 700L, 1_500L);
    assertThat(times(retry.maxDelay(Duration.ofMillis(150)), 4, 0)).containsExactly(0L, 100L, 250L, 400L, 550L);
    assertThat(times(Retry.attempts(3), 2, 0)).containsExactly(0L, 0L, 0L);
  }

  @Test
  void chanceShortensDelaysByTheGivenPartAtMostAndCanBeRepeated() throws Exception {
    Retry retry = Retry.attempts(30).delay(Duration.ofSeconds(1)).jitter(0.5);
    List<Long> times = times(retry, 20, 7);
    List<Long> delays = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      delays.add(times.get(i) - times.get(i - 1));
    }
    assertThat(delays).allMatch(delay -> delay >= 499 && delay <= 1_000).doesNotHaveDuplicates();
    assertThat(times(retry, 20, 7)).isEqualTo(times);
    assertThat(times(retry, 20, 8)).isNotEqualTo(times);
  }

  @Test
  void ofManyErrorsTheLatestAreKept() {
    int[] attempts = {0};
    Throwable error = error(() -> Retry.attempts(1_000).run(() -> { throw new IOException("attempt " + ++attempts[0]); }));
    assertThat(error).hasMessage("attempt 1000");
    assertThat(error.getSuppressed()).hasSize(100);
    assertThat(error.getSuppressed()[0]).hasMessage("attempt 900");
    assertThat(error.getSuppressed()[99]).hasMessage("attempt 999");
  }

  @Test
  void theLastErrorIsThrownWithTheOthersSuppressedInIt() {
    int[] attempts = new int[1];
    Throwable error = error(() -> Retry.attempts(3).run(() -> { throw new IOException("attempt " + ++attempts[0]); }));
    assertThat(error).isInstanceOf(IOException.class).hasMessage("attempt 3");
    assertThat(error.getSuppressed()).extracting(Throwable::getMessage).containsExactly("attempt 1", "attempt 2");

    IOException same = new IOException("always the same");
    assertThat(error(() -> Retry.attempts(3).run(() -> { throw same; }))).isSameAs(same);
  }

  @Test
  void onlyWhatItIsForIsTriedAgain() {
    int[] attempts = new int[1];
    assertThat(
            error(
                () ->
                    Retry.attempts(5)
                        .on(IOException.class)
                        .run(
                            () -> {
                              if (++attempts[0] == 2) {
                                throw new IllegalStateException("not for it");
                              }
                              throw new IOException();
                            })))
        .isInstanceOf(IllegalStateException.class);
    assertThat(attempts[0]).isEqualTo(2);

    attempts[0] = 0;
    assertThat(error(() -> Retry.attempts(5).run(() -> { attempts[0]++; throw new AssertionError(); })))
        .isInstanceOf(AssertionError.class);
    assertThat(attempts[0]).isEqualTo(1);
  }

  @Test
  void aBrokenConditionIsTheErrorThen() {
    Retry broken = Retry.attempts(2).when(error -> { throw new IllegalStateException("broken"); });
    assertThat(error(() -> broken.run(() -> { throw new IOException("lost?"); })))
        .hasMessage("broken")
        .satisfies(error -> assertThat(error.getSuppressed()).extracting(Throwable::getMessage).containsExactly("lost?"));
  }

  @Test
  void aCancelledTaskTriesNothingAgain() throws Exception {
    int[] attempts = new int[1];
    value(
        () -> {
          Task<Object> inAttempt =
              spawn(() -> Retry.attempts(9).run(() -> { attempts[0]++; sleep(Duration.ofHours(1)); return null; }));
          Task<Object> inDelay =
              spawn(
                  () ->
                      Retry.attempts(9).delay(Duration.ofHours(1)).run(() -> { attempts[0]++; throw new IOException(); }));
          sleep(Duration.ofMinutes(1));
          for (Task<Object> each : List.of(inAttempt, inDelay)) {
            each.cancel();
            assertThatThrownBy(() -> join(each)).isInstanceOf(TaskCancelledException.class);
          }
          return null;
        });
    assertThat(attempts[0]).isEqualTo(2);
  }

  @Test
  void theCancellationOfAnotherTaskIsAnErrorLikeAnyOther() throws Exception {
    int[] attempts = new int[1];
    value(
        () -> {
          Task<Object> other = spawn(() -> null);
          other.cancel();
          assertThatThrownBy(() -> Retry.attempts(3).run(() -> { attempts[0]++; return join(other); }))
              .isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(attempts[0]).isEqualTo(3);
  }

  @Test
  void asAHandlerItTriesEffectsOfAClassAgain() throws Exception {
    int[] asked = new int[1];
    Handlers flaky =
        Handlers.of(
            Fetch.class,
            fetch -> {
              if (++asked[0] % 3 != 0) {
                throw new IOException("flaky");
              }
              return fetch.url() + " after " + asked[0];
            });
    String value =
        value(() -> handle(flaky.with(Retry.attempts(3).handling(Fetch.class)), () -> perform(new Fetch("/")) + ", " + perform(new Fetch("/a"))));
    assertThat(value).isEqualTo("/ after 3, /a after 6");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    Retry retry = Retry.attempts(1);
    assertThatThrownBy(() -> Retry.attempts(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0");
    assertThatThrownBy(() -> retry.delay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> retry.maxDelay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> retry.factor(0.5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> retry.factor(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> retry.jitter(1.5)).isInstanceOf(IllegalArgumentException.class);
  }
}
