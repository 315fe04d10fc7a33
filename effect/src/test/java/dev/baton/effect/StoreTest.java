// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.ask;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.listen;
import static dev.baton.effect.Effects.local;
import static dev.baton.effect.Effects.modify;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.sync.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Environment, state, log, attempts and time. */
class StoreTest extends OnBothEngines {

  record Unknown() implements Effect<Object> {}

  // ---- environment ----

  @Test
  void case90_ask() throws Exception {
    Map<Object, Object> environment = new HashMap<>();
    environment.put("name", "Ada");
    environment.put("nothing", null);
    environment.put(42, "a number");
    environment.put(List.of(1, 2), "a list");
    environment.put(Key.of("typed"), 7);
    runner()
        .environment(environment)
        .run(
            () -> {
              assertThat(Effects.<String>ask("name")).isEqualTo("Ada");
              assertThat(Effects.<Object>ask("nothing")).isNull();
              assertThat(Effects.<String>ask(42)).isEqualTo("a number");
              assertThat(Effects.<String>ask(List.of(1, 2))).isEqualTo("a list");
              int typed = ask(Key.<Integer>of("typed"));
              assertThat(typed).isEqualTo(7);
              assertThatThrownBy(() -> ask("absent"))
                  .isInstanceOf(MissingKeyException.class)
                  .hasMessageContaining("'absent'")
                  .hasMessageContaining("Runner.environment");
              return null;
            })
        .orThrow();
  }

  @Test
  void case91_local() throws Exception {
    runner()
        .environment(Map.of("a", 1, "b", 2))
        .run(
            () -> {
              assertThat(local(Map.of("a", 10, "c", 3), () -> List.of(ask("a"), ask("b"), ask("c")))).containsExactly(10, 2, 3);
              assertThat(Effects.<Integer>ask("a")).isEqualTo(1);
              assertThatThrownBy(() -> ask("c")).isInstanceOf(MissingKeyException.class);

              Result<Object> failed = attempt(() -> local(Map.of("a", 11), () -> { throw new IllegalStateException(); }));
              assertThat(failed.isOk()).isFalse();
              assertThat(Effects.<Integer>ask("a")).isEqualTo(1);

              List<Object> nested =
                  local(
                      Map.of("a", 20, "b", 21),
                      () -> {
                        Object inner = local(Map.of("a", 30), () -> List.of(ask("a"), ask("b")));
                        return List.of(inner, ask("a"));
                      });
              assertThat(nested).containsExactly(List.of(30, 21), 20);

              Task<Integer> spawned = local(Map.of("a", 40), () -> spawn(() -> { yieldNow(); return ask("a"); }));
              assertThat(join(spawned)).isEqualTo(40);

              Task<Integer> one = spawn(() -> local(Map.of("a", 50), () -> { yieldNow(); yieldNow(); return ask("a"); }));
              Task<Integer> other = spawn(() -> { yieldNow(); return ask("a"); });
              assertThat(gather(one, other)).containsExactly(50, 1);
              return null;
            })
        .orThrow();
  }

  // ---- state ----

  @Test
  void case94_theLawsOfState() throws Exception {
    RunResult<Object> result =
        result(
            () -> {
              put("k", 1);
              put("k", 2);
              assertThat(Effects.<Integer>get("k")).isEqualTo(2);
              put("k", get("k"));
              assertThat(Effects.<Integer>get("k")).isEqualTo(2);
              assertThat(List.of(get("k"), get("k"))).containsExactly(2, 2);
              put("x", 1);
              put("y", 2);
              put("y", 3);
              put("x", 4);
              assertThat(List.of(get("x"), get("y"))).containsExactly(4, 3);
              local(Map.of("e", 1), () -> { put("in local", true); return null; });
              attempt(() -> { put("in attempt", true); tell("told"); throw new IllegalStateException(); });
              assertThatThrownBy(() -> get("absent")).isInstanceOf(MissingKeyException.class).hasMessageContaining("'absent'");
              put("there", 1);
              assertThatThrownBy(() -> get(Key.of("there")))
                  .isInstanceOf(MissingKeyException.class)
                  .hasMessageContainingAll("no Key 'there', only ", "'there'")
                  .hasMessageNotContaining("and others");
              for (int i = 0; i < 100; i++) {
                put("key " + i, i);
              }
              assertThatThrownBy(() -> get("absent")).hasMessageContainingAll(", 'key ", " and others: put it first").hasMessageMatching("(?s).{1,300}");
              return null;
            });
    assertThat(result.error()).isEmpty();
    assertThat(result.state()).containsEntry("in local", true).containsEntry("in attempt", true).containsEntry("x", 4);
    assertThat(result.messages()).containsExactly("told");
  }

  @Test
  void aLotOfKeysAlsoWithOneHash() throws Exception {
    record Same(int n) {
      @Override
      public int hashCode() {
        return n % 3;
      }
    }
    value(
        () -> {
          for (int i = 0; i < 2_000; i++) {
            put(i * 31, i);
          }
          for (int i = 0; i < 20; i++) {
            put(new Same(i), i);
          }
          put(new Same(5), "changed");
          for (int i = 0; i < 2_000; i++) {
            assertThat(Effects.<Integer>get(i * 31)).isEqualTo(i);
          }
          for (int i = 0; i < 20; i++) {
            assertThat(Effects.<Object>get(new Same(i))).isEqualTo(i == 5 ? "changed" : (Object) i);
          }
          assertThatThrownBy(() -> get(new Same(100))).isInstanceOf(MissingKeyException.class);
          return null;
        });
  }

  @Test
  void case96_modify() throws Exception {
    value(
        () -> {
          assertThat(Effects.<Integer>modify("n", n -> n == null ? 1 : n + 1)).isEqualTo(1);
          assertThat(Effects.<Integer>modify("n", n -> n == null ? 1 : n + 1)).isEqualTo(2);
          assertThatThrownBy(() -> modify("n", n -> { throw new IllegalStateException("no"); })).hasMessage("no");
          assertThat(Effects.<Integer>get("n")).isEqualTo(2);
          Key<Integer> typed = Key.of("typed");
          put(typed, 1);
          assertThat(modify(typed, n -> n + 1)).isEqualTo(2);
          return null;
        });
  }

  // ---- log ----

  @Test
  void case97_listen() throws Exception {
    RunResult<Object> result =
        result(
            () -> {
              tell("before");
              Listened<String> outer =
                  listen(
                      () -> {
                        tell("a");
                        Listened<String> inner = listen(() -> { tell("b"); tell("c"); return "inner"; });
                        assertThat(inner.messages()).containsExactly("b", "c");
                        tell("d");
                        return inner.value();
                      });
              assertThat(outer.messages()).containsExactly("a", "b", "c", "d");
              assertThat(outer.value()).isEqualTo("inner");

              Listened<Result<Object>> kept = listen(() -> attempt(() -> { tell("kept"); throw new IllegalStateException("x"); }));
              assertThat(kept.messages()).containsExactly("kept");
              assertThat(kept.value().isOk()).isFalse();
              Result<Listened<Object>> error = attempt(() -> listen(() -> { tell("lost"); throw new IllegalStateException("y"); }));
              assertThat(error)
                  .isInstanceOfSatisfying(Result.Err.class, err -> assertThat(err.error()).hasMessage("y"));
              return null;
            });
    assertThat(result.error()).isEmpty();
    assertThat(result.messages()).containsExactly("before", "a", "b", "c", "d", "kept", "lost");
  }

  @Test
  void case98_attempts() throws Exception {
    value(
        () -> {
          assertThat(attempt(() -> 1)).isEqualTo(new Result.Ok<>(1));
          IllegalStateException thrown = new IllegalStateException("original");
          Program<Object> failing = () -> { throw thrown; };
          assertThat(attempt(failing)).isEqualTo(new Result.Err<>(thrown));
          assertThat(attempt(() -> attempt(failing))).isEqualTo(new Result.Ok<>(new Result.Err<>(thrown)));
          assertThat(attempt(() -> attempt(() -> attempt(failing))))
              .isEqualTo(new Result.Ok<>(new Result.Ok<>(new Result.Err<>(thrown))));
          assertThat(attempt(() -> perform(new Unknown())))
              .isInstanceOfSatisfying(
                  Result.Err.class, err -> assertThat(err.error()).isInstanceOf(UnhandledEffectException.class));
          return null;
        });
    assertThat(error(() -> perform(new Unknown()))).isInstanceOf(UnhandledEffectException.class);
  }

  // ---- time ----

  @Test
  void case109_delaysMoveTheClockAndNothingElse() throws Exception {
    long start = System.nanoTime();
    value(
        () -> {
          assertThat(now()).isEqualTo(Instant.ofEpochSecond(100));
          sleep(Duration.ofSeconds(5));
          assertThat(now()).isEqualTo(Instant.ofEpochSecond(105));
          List<Long> times = new ArrayList<>();
          for (int i = 1; i <= 4; i++) {
            sleep(Duration.ofDays(i));
            times.add(Duration.between(Instant.ofEpochSecond(105), now()).toDays());
          }
          assertThat(times).containsExactly(1L, 3L, 6L, 10L);
          Instant before = now();
          sleep(Duration.ZERO);
          assertThat(now()).isEqualTo(before);
          assertThatThrownBy(() -> sleep(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
          return null;
        });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void case111_theClockStandsStillWhileSomebodyCanRunOrTheWorldIsAwaited() throws Exception {
    value(
        () -> {
          Task<Instant> sleeper = spawn(() -> { sleep(Duration.ofSeconds(10)); return now(); });
          for (int i = 0; i < 1_000; i++) {
            yieldNow();
          }
          assertThat(now()).isEqualTo(Instant.ofEpochSecond(100));
          ExternalPromise<String> outside = Effects.externalPromise();
          Thread.ofVirtual().start(() -> outside.complete("came"));
          join(outside.future());
          assertThat(now()).isEqualTo(Instant.ofEpochSecond(100));
          assertThat(join(sleeper)).isEqualTo(Instant.ofEpochSecond(110));
          return null;
        });
  }

  @Test
  void case114_entriesOfTheLogHaveTheirTimes() {
    RunResult<Object> result =
        result(
            () -> {
              tell("first");
              sleep(Duration.ofSeconds(3));
              tell("second");
              return null;
            });
    assertThat(result.log())
        .containsExactly(
            new LogEntry(Instant.ofEpochSecond(100), "first"), new LogEntry(Instant.ofEpochSecond(103), "second"));
  }
}
