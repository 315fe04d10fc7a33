// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.fail;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waiting for all of several, and for the first of them. */
class GatherRaceTest extends OnBothEngines {

  private static <T> Task<T> after(int seconds, T value) {
    return spawn(
        () -> {
          sleep(Duration.ofSeconds(seconds));
          return value;
        });
  }

  @Test
  void case24_nothingIsGatheredAtOnce() throws Exception {
    assertThat(this.<List<Object>>value(() -> gather())).isEmpty();
  }

  @Test
  void case25_theOrderIsThatOfTheArguments() throws Exception {
    assertThat(this.<List<String>>value(() -> gather(after(3, "slow"), after(1, "fast")))).containsExactly("slow", "fast");
  }

  @Test
  void case27_aMemberThatHasFailedIsThrownAtOnce() throws Exception {
    value(
        () -> {
          Promise<Integer> never = promise();
          Task<Integer> failed = spawn(() -> { throw new IllegalStateException("failed"); });
          yieldNow();
          assertThatThrownBy(() -> gather(never.future(), failed)).hasMessage("failed");
          return null;
        });
  }

  @Test
  void case27_aMemberThatFailsEndsTheWaitAndCancelsNobody() throws Exception {
    value(
        () -> {
          Task<String> slow = after(10, "slow");
          Task<String> failing = spawn(() -> { sleep(Duration.ofSeconds(1)); throw new IllegalStateException("failed"); });
          assertThatThrownBy(() -> gather(slow, failing)).hasMessage("failed");
          assertThat(slow.state()).isEqualTo(TaskState.BLOCKED);
          assertThat(join(slow)).isEqualTo("slow");
          return null;
        });
  }

  @Test
  void case28_aCancelledMember() throws Exception {
    value(
        () -> {
          Task<String> task = after(1, "never");
          cancel(task);
          assertThatThrownBy(() -> gather(after(5, "other"), task)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
  }

  @Test
  void case29_attemptsGiveAllResults() throws Exception {
    List<Result<Integer>> results =
        value(
            () ->
                gather(
                    spawn(() -> attempt(() -> 1)),
                    spawn(() -> Effects.<Integer>attempt(() -> { throw new IllegalStateException("two"); })),
                    spawn(() -> attempt(() -> 3))));
    assertThat(results.get(0)).isEqualTo(new Result.Ok<>(1));
    assertThat(results.get(1)).isInstanceOfSatisfying(Result.Err.class, err -> assertThat(err.error()).hasMessage("two"));
    assertThat(results.get(2)).isEqualTo(new Result.Ok<>(3));
  }

  @Test
  void anyCollectionIsGatheredAndRacedInItsOrder() throws Exception {
    value(
        () -> {
          Map<String, Task<Integer>> byName = new LinkedHashMap<>();
          for (int i = 0; i < 3; i++) {
            int n = i;
            byName.put("task " + i, spawn(() -> n));
          }
          assertThat(gather(byName.values())).containsExactly(0, 1, 2);
          assertThat(race(byName.values()).value()).isZero();
          assertThatThrownBy(() -> race(Set.of())).isInstanceOf(IllegalArgumentException.class);
          return null;
        });
  }

  @Test
  void case30_theSameTwice() throws Exception {
    assertThat(this.<List<String>>value(() -> { Task<String> t = after(1, "v"); return gather(t, t); })).containsExactly("v", "v");
  }

  @Test
  void case31_tasksAndFuturesOfAllKinds() throws Exception {
    List<String> values =
        value(
            () -> {
              Promise<String> inner = promise();
              ExternalPromise<String> outer = externalPromise();
              dev.baton.sync.Promise<String> plain = new dev.baton.sync.Promise<>();
              Task<String> task = spawn(() -> { complete(inner, "inner"); plain.complete("plain"); return "task"; });
              Thread.ofVirtual().start(() -> outer.complete("outer"));
              return gather(outer.future(), task, plain.future(), inner.future());
            });
    assertThat(values).containsExactly("outer", "task", "plain", "inner");
  }

  @Test
  void case34_nested() throws Exception {
    List<List<Integer>> values =
        value(
            () ->
                gather(
                    spawn(() -> gather(after(4, 1), after(3, 2))),
                    spawn(() -> gather(after(2, 3), after(1, 4)))));
    assertThat(values).containsExactly(List.of(1, 2), List.of(3, 4));
  }

  // ---- race ----

  @Test
  void case35_aRaceOfNobodyIsRefused() throws Exception {
    value(
        () -> {
          assertThatThrownBy(() -> race()).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at least one");
          return null;
        });
  }

  @Test
  void case36_theOneThatEndsFirstWinsAndTheRestIsInOrder() throws Exception {
    value(
        () -> {
          Promise<String> never = promise();
          Task<String> slow = after(5, "slow");
          Task<String> fast = after(1, "fast");
          RaceResult<String> second = race(List.of(never.future(), fast, slow));
          assertThat(second.first()).isSameAs(fast);
          assertThat(second.value()).isEqualTo("fast");
          assertThat(second.rest()).containsExactly(never.future(), slow);
          RaceResult<String> third = race(List.<Waitable<String>>of(never.future(), slow));
          assertThat(third.first()).isSameAs(slow);
          assertThat(third.rest()).containsExactly(never.future());
          return null;
        });
  }

  @Test
  void case36_ofSeveralThatHaveEndedTheOneThatEndedFirst() throws Exception {
    value(
        () -> {
          Task<String> slow = after(2, "slow");
          Task<String> fast = after(1, "fast");
          gather(slow, fast);
          assertThat(race(slow, fast).first()).isSameAs(fast);
          return null;
        });
  }

  @Test
  void case37_aFailureOrACancellationThatComesFirstIsThrown() throws Exception {
    value(
        () -> {
          Promise<String> failed = promise();
          Promise<String> never = promise();
          spawn(() -> { fail(failed, new IllegalStateException("first")); return null; });
          assertThatThrownBy(() -> race(never.future(), failed.future())).hasMessage("first");
          Task<String> cancelled = after(3, "x");
          spawn(() -> { cancel(cancelled); return null; });
          assertThatThrownBy(() -> race(never.future(), cancelled)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
  }

  @Test
  void case38_aRaceAgainstItself() throws Exception {
    value(
        () -> {
          Task<String> task = after(1, "only");
          RaceResult<String> result = race(task, task);
          assertThat(result.first()).isSameAs(task);
          assertThat(result.value()).isEqualTo("only");
          assertThat(result.rest()).isEmpty();
          return null;
        });
  }

  @Test
  void case40_losersGoOnUntilTheyAreCancelled() throws Exception {
    value(
        () -> {
          List<Task<Integer>> tasks = new ArrayList<>();
          for (int i = 1; i <= 3; i++) {
            tasks.add(after(i, i));
          }
          assertThat(race(tasks).value()).isEqualTo(1);
          assertThat(gather(tasks)).containsExactly(1, 2, 3);

          Task<Integer> winner = after(1, 1);
          Task<Integer> loser = after(2, 2);
          Promise<Integer> never = promise();
          RaceResult<Integer> result = race(never.future(), winner, loser);
          assertThat(result.rest()).containsExactly(never.future(), loser);
          assertThat(result.losers()).containsExactly(loser);
          result.losers().forEach(Effects::cancel);
          assertThatThrownBy(() -> join(loser)).isInstanceOf(TaskCancelledException.class);
          return null;
        });
  }

  @Test
  void whatTheRunHasMadeAndHasEndedComesBeforeWhatItHasNotMade() throws Exception {
    value(
        () -> {
          Promise<String> ours = promise();
          dev.baton.sync.Promise<String> foreign = new dev.baton.sync.Promise<>();
          Effects.complete(ours, "ours");
          foreign.complete("foreign");
          assertThat(Effects.race(foreign.future(), ours.future()).value()).isEqualTo("ours");
          assertThat(Effects.race(ours.future(), foreign.future()).value()).isEqualTo("ours");
          Promise<String> failed = promise();
          dev.baton.sync.Promise<String> failedToo = new dev.baton.sync.Promise<>();
          Effects.fail(failed, new IllegalStateException("ours"));
          failedToo.fail(new IllegalStateException("foreign"));
          assertThatThrownBy(() -> Effects.gather(failedToo.future(), failed.future())).hasMessage("ours");
          return null;
        });
  }

  @Test
  void theFirstOfTwoThatEndWhileARaceBeginsWins() throws Exception {
    AtomicReference<List<ExternalPromise<String>>> given = new AtomicReference<>();
    AtomicBoolean over = new AtomicBoolean();
    Thread outside =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int races = 0; !over.get(); ) {
                    List<ExternalPromise<String>> both = given.getAndSet(null);
                    if (both == null) {
                      Thread.onSpinWait();
                      continue;
                    }
                    // Not always at once, so that some end after the race has looked at them and before it waits for them.
                    for (int i = 0; i < 37 * races++ % 3_000; i++) {
                      Thread.onSpinWait();
                    }
                    both.getLast().complete("first");
                    both.getFirst().complete("second");
                  }
                });
    try {
      Runner.create()
          .engine(engine)
          .run(
              () -> {
                List<Waitable<String>> others = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                  others.add(Effects.<String>promise().future());
                }
                for (int i = 0; i < 3_000; i++) {
                  List<ExternalPromise<String>> both = List.of(externalPromise(), externalPromise());
                  List<Waitable<String>> all = new ArrayList<>(others);
                  both.forEach(each -> all.add(each.future()));
                  Race<String> race = new Race<>(all);
                  given.set(both);
                  assertThat(Effects.perform(race).value()).isEqualTo("first");
                }
                return null;
              })
          .orThrow();
    } finally {
      over.set(true);
      outside.join();
    }
  }
}
