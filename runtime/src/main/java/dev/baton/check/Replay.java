// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The name of one schedule: {@code random:42}, {@code pct:3:42}, or {@code path:0.2.1}.
 *
 * <p>The last form lists the choices themselves, each in base 36.
 */
sealed interface Replay {

  /** A schedule that a seeded strategy makes. */
  record Seeded(Strategy strategy, long seed) implements Replay {
    @Override
    public String toString() {
      return strategy + ":" + seed;
    }
  }

  /** A schedule given by its choices. */
  record Path(List<Integer> choices) implements Replay {
    static Path of(int... choices) {
      return new Path(Arrays.stream(choices).boxed().toList());
    }

    int[] toArray() {
      return choices.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public String toString() {
      return "path:" + choices.stream().map(c -> Integer.toString(c, 36)).collect(Collectors.joining("."));
    }
  }

  private static int choice(String digits) {
    int choice = Integer.parseInt(digits, 36);
    if (choice < 0) {
      throw new NumberFormatException("negative");
    }
    return choice;
  }

  static Replay parse(String text, Strategy otherwise) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    try {
      if (name.startsWith("path:")) {
        String choices = name.substring("path:".length());
        return choices.isEmpty()
            ? Path.of()
            : Path.of(Arrays.stream(choices.split("\\.", -1)).mapToInt(Replay::choice).toArray());
      }
      int colon = name.lastIndexOf(':');
      long seed = Long.parseLong(name.substring(colon + 1));
      Strategy strategy = colon < 0 ? otherwise : Strategy.parse(name.substring(0, colon));
      if (strategy instanceof Strategy.Exhaustive) {
        throw new IllegalArgumentException("An exhaustive search has no seeds: replay the path it printed.");
      }
      return new Seeded(strategy, seed);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' names no schedule: use a seed, or what the report says after 'Replay:', such as random:42.");
    }
  }
}
