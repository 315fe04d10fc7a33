// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.listen;
import static dev.baton.effect.Effects.modify;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.effect.Generated.Code;
import dev.baton.effect.Generated.Ping;
import dev.baton.runtime.Policy;
import dev.baton.scope.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Laws as equations: whatever program stands in them, and whatever stands around them, both sides give the same value or error, state
 * and log. A law that does not hold shows the seed and both programs.
 */
class LawsTest extends OnBothEngines {
  private static final int PROGRAMS = 150;

  /** What can be told of a run from outside. */
  private record Seen(String result, Map<Object, Object> state, List<Object> messages) {}

  private Seen seen(Program<?> program, long seed) {
    RunResult<Object> result =
        runner()
            .policy(seed % 3 == 0 ? Policy.roundRobin() : Policy.seeded(seed))
            .state(Map.of("a", 1, "b", 2, "c", 3))
            .environment(Map.of("e", 0))
            .run(program);
    assertThat(result.leftOver()).isEmpty();
    return new Seen(String.valueOf(result.result()), result.state(), result.messages());
  }

  /** One side of an equation, out of what chance gives. */
  private interface Side {
    Code of(Generated chance);
  }

  private static Code code(String text, Program<Object> program) {
    return new Code(text, program);
  }

  private void equal(Side left, Side right) {
    equal(left, right, false);
  }

  /** Both sides mean the same, in whatever context. They draw the same from chance. */
  private void equal(Side left, Side right, boolean pings) {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Code one = in(seed, left, pings);
      Code other = in(seed, right, pings);
      assertThat(seen(one.program(), seed)).as("seed %s: {%s} = {%s}", seed, one, other).isEqualTo(seen(other.program(), seed));
    }
  }

  private static Code in(long seed, Side side, boolean pings) {
    Code middle = side.of(new Generated(seed));
    return new Generated(~seed).around(middle, pings);
  }

  @Test
  void generatedProgramsDoAllSortsOfThings() {
    int failed = 0;
    int told = 0;
    int changed = 0;
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Seen seen = seen(new Generated(seed).code(false).program(), seed);
      assertThat(seen(new Generated(seed).code(false).program(), seed)).isEqualTo(seen);
      failed += seen.result().startsWith("Err") ? 1 : 0;
      told += seen.messages().isEmpty() ? 0 : 1;
      changed += seen.state().equals(Map.of("a", 1, "b", 2, "c", 3)) ? 0 : 1;
    }
    assertThat(failed).isBetween(PROGRAMS / 20, PROGRAMS / 2);
    assertThat(told).isGreaterThan(PROGRAMS / 10);
    assertThat(changed).isGreaterThan(PROGRAMS / 5);
  }

  @Test
  void differentProgramsAreToldApart() {
    int different = 0;
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Code one = in(seed, chance -> putting(chance.key(), 1_000), false);
      Code other = in(seed, chance -> putting(chance.key(), 1_001), false);
      different += seen(one.program(), seed).equals(seen(other.program(), seed)) ? 0 : 1;
    }
    assertThat(different).isGreaterThan(PROGRAMS / 4);
  }

  // ---- state ----

  private static Code putting(String key, int n) {
    return code("put " + key + " " + n, () -> { put(key, n); return null; });
  }

  @Test
  void case94_putGet() {
    equal(
        chance -> {
          String key = chance.key();
          return putting(key, chance.number()).then(code("get " + key, () -> get(key)));
        },
        chance -> {
          String key = chance.key();
          int n = chance.number();
          return putting(key, n).then(code("value " + n, () -> n));
        });
  }

  @Test
  void case94_getPut() {
    equal(
        chance -> {
          String key = chance.key();
          return code("put what was got: " + key, () -> { put(key, Effects.<Object>get(key)); return null; });
        },
        chance -> code("nothing", () -> null));
  }

  @Test
  void case94_putPut() {
    equal(
        chance -> {
          String key = chance.key();
          int n = chance.number();
          return putting(key, n + 1).then(putting(key, n));
        },
        chance -> putting(chance.key(), chance.number()));
  }

  @Test
  void case94_getGet() {
    equal(
        chance -> {
          String key = chance.key();
          return code("get twice " + key, () -> List.of(get(key), get(key)));
        },
        chance -> {
          String key = chance.key();
          return code("get once " + key, () -> { Object value = get(key); return List.of(value, value); });
        });
  }

  @Test
  void case94_writesToDifferentKeysCommute() {
    equal(
        chance -> { int n = chance.number(); int m = chance.number(); return putting("a", n).then(putting("b", m)); },
        chance -> { int n = chance.number(); int m = chance.number(); return putting("b", m).then(putting("a", n)); });
  }

  @Test
  void case96_modifyIsGetAndPut() {
    equal(
        chance -> {
          String key = chance.key();
          int n = chance.number();
          return code("modify " + key, () -> modify(key, (Integer old) -> old * 31 + n));
        },
        chance -> {
          String key = chance.key();
          int n = chance.number();
          return code("get, put " + key, () -> { int now = Effects.<Integer>get(key) * 31 + n; put(key, now); return now; });
        });
  }

  // ---- tasks ----

  @Test
  void case20_spawnAndWaitGiveTheValueOrTheErrorAndNothingElse() {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Code code = new Generated(seed).code(false);
      Seen direct = seen(code.program(), seed);
      Seen spawned = seen(() -> join(spawn(code.program())), seed);
      assertThat(spawned.result()).as("seed %s: %s", seed, code).isEqualTo(direct.result());
      assertThat(spawned.state()).isEqualTo(Map.of("a", 1, "b", 2, "c", 3));
      assertThat(spawned.messages()).isEmpty();
    }
  }

  @Test
  void spawningTwiceIsSpawningOnce() {
    equal(
        chance -> { Code inner = chance.code(false); return code("spawn spawn " + inner, () -> join(spawn(() -> join(spawn(inner.program()))))); },
        chance -> { Code inner = chance.code(false); return code("spawn " + inner, () -> join(spawn(inner.program()))); });
  }

  @Test
  void aRaceOfOneIsAWait() {
    equal(
        chance -> {
          Code inner = chance.code(false);
          return code(
              "race " + inner,
              () -> {
                Task<Object> only = spawn(inner.program());
                RaceResult<Object> result = race(only);
                assertThat(result.first()).isSameAs(only);
                assertThat(result.rest()).isEmpty();
                return result.value();
              });
        },
        chance -> { Code inner = chance.code(false); return code("join " + inner, () -> join(spawn(inner.program()))); });
  }

  @Test
  void aGatherOfOneIsAWait() {
    equal(
        chance -> {
          Code inner = chance.code(false);
          return code("gather " + inner, () -> gather(spawn(inner.program())).getFirst());
        },
        chance -> { Code inner = chance.code(false); return code("join " + inner, () -> join(spawn(inner.program()))); });
  }

  @Test
  void gatherIsWaitingForOneAfterTheOtherIfNothingFails() {
    equal(
        chance -> {
          Code one = chance.code(false);
          Code two = chance.code(false);
          return code(
              "gather " + one + " and " + two,
              () -> {
                Task<Object> first = spawn(() -> Generated.described(attempt(one.program())));
                Task<Object> second = spawn(() -> Generated.described(attempt(two.program())));
                return gather(first, second);
              });
        },
        chance -> {
          Code one = chance.code(false);
          Code two = chance.code(false);
          return code(
              "join " + one + " and " + two,
              () -> {
                Task<Object> first = spawn(() -> Generated.described(attempt(one.program())));
                Task<Object> second = spawn(() -> Generated.described(attempt(two.program())));
                Object last = join(second);
                return List.of(join(first), last);
              });
        });
  }

  // ---- handlers ----

  /** Some sets of handlers, which answer pings by themselves or ask further outside. */
  private static List<Handlers> handlers(long seed) {
    Random random = new Random(seed);
    List<Handlers> sets = new ArrayList<>(List.of(Handlers.of(Ping.class, ping -> ping.n() + 1_000)));
    int more = 1 + random.nextInt(4);
    for (int i = 0; i < more; i++) {
      int n = random.nextInt(10);
      sets.add(
          switch (random.nextInt(5)) {
            case 0 -> Handlers.of(Ping.class, ping -> ping.n() * 7 + n);
            case 1 -> Handlers.of(Ping.class, ping -> perform(new Ping(ping.n() + n)) * 3);
            case 2 -> Handlers.of(Tell.class, told -> { tell("heard " + told.message()); return null; });
            case 3 -> Handlers.<Integer, Ping, Object>resuming(Ping.class, (ping, rest) -> rest.resume(ping.n() - n));
            default -> Handlers.observing(effect -> {});
          });
    }
    return sets;
  }

  private static Object nested(List<Handlers> sets, Program<Object> program) {
    return sets.isEmpty()
        ? run(program)
        : handle(sets.getFirst(), () -> nested(sets.subList(1, sets.size()), program));
  }

  private static Object run(Program<Object> program) {
    return handle(Handlers.none(), program);
  }

  @Test
  void case101_aListOfHandlersIsTheFirstAroundTheRest() {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      List<Handlers> sets = handlers(seed);
      Code code = new Generated(seed).code(true);
      Seen nested = seen(() -> nested(sets, code.program()), seed);
      Handlers joined = sets.stream().reduce(Handlers.none(), Handlers::with);
      assertThat(seen(() -> handle(Handlers.stack(sets), code.program()), seed)).as("seed %s: %s", seed, code).isEqualTo(nested);
      assertThat(seen(() -> handle(joined, code.program()), seed)).isEqualTo(nested);
      Handlers inner = Handlers.stack(sets.subList(1, sets.size()));
      assertThat(seen(() -> handle(sets.getFirst().with(inner), code.program()), seed)).isEqualTo(nested);
    }
  }

  @Test
  void case108_noHandlersChangeNothing() {
    equal(
        chance -> { Code inner = chance.code(false); return code("handled " + inner, () -> handle(Handlers.none(), inner.program())); },
        chance -> chance.code(false));
  }

  @Test
  void aHandlerThatOnlyPassesOnChangesNothing() {
    Handlers passing = Handlers.of(Put.class, put -> perform(put)).and(Tell.class, told -> perform(told));
    Handlers resuming = Handlers.<Void, Put, Object>resuming(Put.class, (put, rest) -> rest.pass());
    for (Handlers each : List.of(passing, resuming, passing.with(resuming))) {
      equal(
          chance -> { Code inner = chance.code(false); return code("handled " + inner, () -> handle(each, inner.program())); },
          chance -> chance.code(false));
    }
  }

  // ---- attempts ----

  @Test
  void case98_anAttemptThatIsThrownAgainIsTheProgram() {
    equal(
        chance -> { Code inner = chance.code(false); return code("attempt " + inner, () -> attempt(inner.program()).orThrow()); },
        chance -> chance.code(false));
  }

  @Test
  void case98_anAttemptOfAnAttemptSucceeds() {
    equal(
        chance -> {
          Code inner = chance.code(false);
          return code("attempt twice " + inner, () -> Generated.described(attempt(() -> attempt(inner.program()))));
        },
        chance -> {
          Code inner = chance.code(false);
          return code("attempt once " + inner, () -> "Ok[value=" + attempt(inner.program()) + "]");
        });
  }

  // ---- the log ----

  @Test
  void case97_listeningChangesNothing() {
    equal(
        chance -> { Code inner = chance.code(false); return code("listen " + inner, () -> listen(inner.program()).value()); },
        chance -> chance.code(false));
  }

  @Test
  void case97_whatIsHeardIsWhatWasTold() {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      Code code = new Generated(seed).code(false);
      Program<Object> kept = () -> attempt(code.program());
      List<Object> heard = new ArrayList<>();
      Seen listened = seen(() -> { heard.addAll(listen(kept).messages()); return null; }, seed);
      assertThat(heard).as("seed %s: %s", seed, code).isEqualTo(listened.messages()).isEqualTo(seen(kept, seed).messages());
    }
  }

  @Test
  void case97_oneAfterTheOtherIsHeardOneAfterTheOther() {
    equal(
        chance -> {
          Code one = chance.code(false);
          Code two = chance.code(false);
          return code("listen " + one + "; " + two, () -> listen(one.then(two).program()).messages());
        },
        chance -> {
          Code one = chance.code(false);
          Code two = chance.code(false);
          return code(
              "listen " + one + "; listen " + two,
              () -> {
                List<Object> all = new ArrayList<>(listen(one.program()).messages());
                all.addAll(listen(two.program()).messages());
                return all;
              });
        });
  }
}
