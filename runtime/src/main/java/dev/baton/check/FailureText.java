// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.host.Frames;
import dev.baton.runtime.Step;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows a failure to a person at a terminal. */
final class FailureText {
  /** A longer schedule is shown from its end. */
  private static final int MOST_STEPS = 60;

  private static final int MOST_FRAMES = 12;

  private FailureText() {}

  static String of(Failure failure) {
    StringBuilder text = new StringBuilder();
    text.append("Found: ").append(failure.kind()).append('\n');
    text.append(failure.message()).append('\n');
    addFrames(failure.cause(), text);
    addCauses(failure, text);
    if (!failure.graph().isEmpty()) {
      text.append('\n').append(failure.graph().toString().stripTrailing()).append('\n');
    }
    addSteps(failure, text);
    text.append(failure.replay().isEmpty() ? "\n" : "\nReplay: " + failure.replay() + "\n");
    return text.toString();
  }

  /** An exception often only says that there was another one. */
  private static void addCauses(Failure failure, StringBuilder text) {
    Throwable thrown = failure.cause();
    if (thrown != null) {
      for (Throwable cause : Thrown.causes(thrown)) {
        text.append("caused by ").append(Thrown.text(cause)).append('\n');
        addFrames(cause, text);
      }
    }
  }

  private static void addFrames(@Nullable Throwable thrown, StringBuilder text) {
    if (thrown != null) {
      Frames.users(Arrays.asList(thrown.getStackTrace()))
          .limit(MOST_FRAMES)
          .forEach(frame -> text.append("    at ").append(frame).append('\n'));
    }
  }

  private static void addSteps(Failure failure, StringBuilder text) {
    List<Step> steps = failure.steps();
    if (steps.isEmpty()) {
      return;
    }
    text.append("\nSchedule, ").append(steps.size()).append(steps.size() == 1 ? " step" : " steps");
    if (failure.foundAfter() > steps.size()) {
      text.append(", shortened from ").append(failure.foundAfter());
    }
    text.append(":\n");
    int from = Math.max(0, steps.size() - MOST_STEPS);
    if (from > 0) {
      text.append("  ... ").append(from).append(" steps before\n");
    }
    List<Step> shown = steps.subList(from, steps.size());
    int tasks = width(shown.stream().map(Step::task).toList());
    int primitives = width(shown.stream().map(Step::primitive).toList());
    int operations = width(shown.stream().map(Step::operation).toList());
    for (Step step : shown) {
      String line = step.line() == null ? "" : step.line().getFileName() + ":" + step.line().getLineNumber();
      String format = "  %4d  %-" + tasks + "s  %-" + primitives + "s  %-" + operations + "s  %s";
      text.append(String.format(format, step.number(), step.task(), step.primitive(), step.operation(), line).stripTrailing());
      text.append('\n');
    }
  }

  private static int width(List<String> words) {
    return Math.max(1, words.stream().mapToInt(String::length).max().orElse(1));
  }
}
