// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.get;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.listen;
import static dev.baton.effect.Effects.local;
import static dev.baton.effect.Effects.modify;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Programs at random: the same for the same seed. What one does depends neither on the schedule nor on how many turns its parts take,
 * so that two of them can be compared.
 */
final class Generated {
  /** Keys that the state always has. */
  static final List<String> KEYS = List.of("a", "b", "c");

  record Ping(int n) implements Effect<Integer> {}

  private final Random random;

  Generated(long seed) {
    random = new Random(seed);
  }

  /** A program: what it does can be read, and is shown when a law does not hold. */
  record Code(String text, Program<Object> program) {
    Object run() throws Exception {
      return program.run();
    }

    /** This one, and then {@code next}, whose value counts. */
    Code then(Code next) {
      return new Code(text + "; " + next.text, () -> { program.run(); return next.program.run(); });
    }

    @Override
    public String toString() {
      return text;
    }
  }

  String key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  int number() {
    return random.nextInt(100);
  }

  /** Some steps, each of which may have some more inside; may fail, and may ask {@link Ping}s if there is somebody to answer. */
  Code code(boolean pings) {
    return code(3, pings);
  }

  private Code code(int depth, boolean pings) {
    List<Code> steps = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      steps.add(step(depth, pings));
    }
    return steps.stream().reduce(Code::then).orElseThrow();
  }

  private Code step(int depth, boolean pings) {
    String key = key();
    int n = number();
    return switch (random.nextInt(depth == 0 ? 7 : 12)) {
      case 0 -> new Code("put " + key + " " + n, () -> { put(key, n); return n; });
      case 1 -> new Code("get " + key, () -> get(key));
      case 2 -> new Code("modify " + key + " +" + n, () -> modify(key, (Integer old) -> old + n));
      case 3 -> new Code("tell " + key, () -> { tell(Effects.<Object>get(key)); return key; });
      case 4 ->
          random.nextInt(3) == 0
              ? new Code("fail " + n, () -> { throw new IOException("failure " + n); })
              : new Code("yield", () -> { yieldNow(); return null; });
      case 5 -> new Code("sleep " + n, () -> { sleep(Duration.ofMillis(n)); return n; });
      case 6 -> pings ? new Code("ping " + n, () -> perform(new Ping(n))) : new Code("ask e", () -> Effects.<Object>ask("e"));
      default -> within(random.nextInt(5), n, code(depth - 1, pings));
    };
  }

  private static Code within(int what, int n, Code inner) {
    return switch (what) {
      case 0 -> new Code("try {" + inner + "}", () -> described(attempt(inner.program())));
      case 1 -> new Code("listen {" + inner + "}", () -> listen(inner.program()).messages());
      case 2 -> new Code("local " + n + " {" + inner + "}", () -> local(Map.of("e", n), inner.program()));
      default -> new Code("spawned {" + inner + "}", () -> join(spawn(inner.program())));
    };
  }

  /** {@code middle} with something before it, something after it, and perhaps something around it. */
  Code around(Code middle, boolean pings) {
    Code before = code(1, pings);
    Code after = code(1, pings);
    Code inside = random.nextBoolean() ? before.then(middle) : middle;
    return switch (random.nextInt(4)) {
      case 0 -> inside;
      case 1 ->
          new Code(
              "keep {" + inside + "} then " + after, () -> { Object value = inside.run(); after.run(); return List.of(String.valueOf(value)); });
      case 2 -> new Code("try {" + inside + "}", () -> described(attempt(inside.program()))).then(after);
      default -> new Code("spawned {" + inside + "}", () -> join(spawn(inside.program())));
    };
  }

  /** Results as text: errors have no equals. */
  static Object described(Object value) {
    return String.valueOf(value);
  }
}
