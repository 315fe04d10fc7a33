// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import dev.baton.runtime.Step;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Tells somebody of every step, with names that are the same in every run. */
public final class StepRecorder implements Observer {
  /** withLock locks and unlocks: two steps that the same line has called. The second one is told apart. */
  private static final Set<String> TOLD_APART = Set.of("unlock", "acquire", "release", "close");

  private final boolean lines;
  private final Consumer<Step> listener;
  private long number;

  /** With {@code lines}, each step is looked up on the stack, which costs far more than the step. */
  public StepRecorder(boolean lines, Consumer<Step> listener) {
    this.lines = lines;
    this.listener = listener;
  }

  @Override
  public void step(CooperativeHost host, CooperativeTask task, Object primitive) {
    String operation = "";
    StackTraceElement line = null;
    if (lines) {
      List<StackTraceElement> stack = Frames.callingStack();
      line = Frames.line(stack);
      StackTraceElement called = stack.getFirst();
      operation = line == null || called == line ? "" : Operations.name(called);
      String inner = Frames.reachingMethod();
      if (!operation.isEmpty() && TOLD_APART.contains(inner) && !operation.endsWith("." + inner)) {
        operation += " (" + inner + ")";
      }
    }
    listener.accept(new Step(++number, task.name(), host.nameOf(primitive), operation, line));
  }
}
