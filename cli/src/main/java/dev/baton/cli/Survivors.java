// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.cli.program.StaticState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Static state that survives from one run to the next. The first two runs of a check follow the same schedule, so that whatever
 * differs after them comes from what the first one has left.
 */
final class Survivors {
  private static final int MOST_SHOWN = 60;
  private static final String REMEDY =
      "Each run begins with what the last one left: make it an instance field, or set it at the start of main.";

  /** Before the first run, after it, after the second. Written by the thread that drives the runs, read when they are over. */
  private final List<StaticState> states = new ArrayList<>();

  private boolean explained;

  Survivors(StaticState before) {
    states.add(before);
  }

  /** A run has ended and left {@code state}; only the first two matter. */
  void afterRun(Supplier<StaticState> state) {
    if (states.size() < 3) {
      states.add(state.get());
    }
  }

  /** Why two runs of the same schedule differ, as far as static fields can tell. */
  String explanation(StaticState now) {
    explained = true;
    StaticState before = states.getFirst();
    Set<String> fields = new LinkedHashSet<>();
    for (StaticState later : states) {
      fields.addAll(before.changedTo(later));
    }
    fields.addAll(before.changedTo(now));
    if (fields.isEmpty()) {
      return "No static field of the program has changed. Look for what else differs from run to run: the clock of the JDK, random"
          + " numbers, identity hash codes, files, threads that no Scope has started.";
    }
    return fields.stream().map(field -> story(field, now) + ".\n").collect(Collectors.joining()) + REMEDY;
  }

  /** What keeps changing although the runs were alike so far. */
  List<String> warnings() {
    if (explained || states.size() < 3) {
      return List.of();
    }
    List<String> fields = states.get(1).changedTo(states.get(2));
    List<String> lines = new ArrayList<>();
    fields.forEach(field -> lines.add("baton check: warning: " + story(field, states.get(2)) + "."));
    if (!fields.isEmpty()) {
      lines.add("  " + REMEDY);
    }
    return lines;
  }

  private String story(String field, StaticState now) {
    StringBuilder story = new StringBuilder("The static field " + field + " was " + shown(states.getFirst(), field) + " before");
    if (states.size() > 1) {
      story.append(", ").append(shown(states.get(1), field)).append(" after the first run");
    }
    if (states.size() > 2) {
      story.append(", ").append(shown(states.get(2), field)).append(" after the second");
    }
    if (!now.valueOf(field).equals(states.getLast().valueOf(field))) {
      story.append(", ").append(shown(now, field)).append(" in the end");
    }
    return story.toString();
  }

  private static String shown(StaticState state, String field) {
    String value = state.valueOf(field).replace('\n', ' ');
    return value.length() <= MOST_SHOWN ? value : value.substring(0, MOST_SHOWN - 3) + "...";
  }
}
