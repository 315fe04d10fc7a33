// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import java.util.Locale;

/** Which schedules are tried. */
public sealed interface Strategy {

  /**
   * At every step any task that can run, each with the same chance.
   *
   * @return a strategy whose schedules are numbered by seeds
   */
  static Strategy random() {
    return new Random();
  }

  /**
   * {@link #pct(int)} with a depth of 3.
   *
   * @return a strategy whose schedules are numbered by seeds
   */
  static Strategy pct() {
    return new Pct(3);
  }

  /**
   * Tasks have random priorities, which change at {@code depth - 1} random steps: finds bugs that need few switches at the right
   * places in long programs.
   *
   * @param depth how many things have to come together; at least 1
   * @return a strategy whose schedules are numbered by seeds
   * @throws IllegalArgumentException if {@code depth} is less than 1 or more than 1,000
   */
  static Strategy pct(int depth) {
    return new Pct(depth);
  }

  /**
   * {@return the strategy of this name: {@code random}, {@code pct}, {@code pct:4}, {@code exhaustive}, {@code
   * exhaustive:1}}
   *
   * @param name as a report or a command line has it
   * @throws IllegalArgumentException if there is none
   */
  static Strategy parse(String name) {
    String[] parts = name.toLowerCase(Locale.ROOT).split(":", 2);
    try {
      return switch (parts[0]) {
        case "random" -> parts.length == 1 ? random() : unknown(name);
        case "pct" -> parts.length == 1 ? pct() : pct(Integer.parseInt(parts[1]));
        case "exhaustive" -> new Exhaustive(parts.length == 1 ? Exhaustive.PREEMPTIONS : Integer.parseInt(parts[1]));
        default -> unknown(name);
      };
    } catch (NumberFormatException e) {
      return unknown(name);
    }
  }

  private static Strategy unknown(String name) {
    throw new IllegalArgumentException(
        "There is no strategy '" + name + "': use random, pct, pct:DEPTH, exhaustive or exhaustive:PREEMPTIONS.");
  }

  /** Any task, each with the same chance. */
  record Random() implements Strategy {
    @Override
    public String toString() {
      return "random";
    }
  }

  /**
   * Random priorities.
   *
   * @param depth how many orderings a bug may need
   */
  record Pct(int depth) implements Strategy {
    /** Beyond this it is a slow way to choose at random. */
    private static final int MOST = 1_000;

    /** Random priorities. */
    public Pct {
      if (depth < 1 || depth > MOST) {
        throw new IllegalArgumentException("The depth of PCT is 1 to " + MOST + ", not " + depth + ".");
      }
    }

    @Override
    public String toString() {
      return "pct:" + depth;
    }
  }

  /**
   * All schedules in which a task that could go on loses its turn at most so many times.
   *
   * @param preemptions how many times
   */
  record Exhaustive(int preemptions) implements Strategy {
    /** Two are enough for most bugs. */
    static final int PREEMPTIONS = 2;

    /** All schedules up to a bound. */
    public Exhaustive {
      if (preemptions < 0) {
        throw new IllegalArgumentException("There are no " + preemptions + " pre-emptions: allow 0 or more.");
      }
    }

    @Override
    public String toString() {
      return "exhaustive:" + preemptions;
    }
  }
}
