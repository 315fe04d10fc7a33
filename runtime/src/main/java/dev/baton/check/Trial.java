// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.check.TrialObserver.Recording;
import dev.baton.check.TrialObserver.Violation;
import dev.baton.observe.WaitGraph;
import dev.baton.runtime.Clock;
import dev.baton.runtime.Stall;
import dev.baton.runtime.Step;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.Problem;
import dev.baton.runtime.internal.RunEnd;
import dev.baton.runtime.internal.RunSettings;
import dev.baton.runtime.internal.Watch;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of the program under one schedule. */
final class Trial {
  static final WaitGraph NOBODY_WAITS = new WaitGraph(List.of(), List.of());

  private final Check check;
  private final Decisions decisions;
  private final TrialObserver observer;
  private final Watch watch;
  private @Nullable Throwable thrown;

  private Trial(Check check, Decisions decisions, Recording recording, Watch watch) {
    this.check = check;
    this.decisions = decisions;
    this.observer = new TrialObserver(check.invariants(), recording);
    this.watch = watch;
  }

  /**
   * How a run went.
   *
   * @param kind what went wrong, or null if nothing did
   * @param message what there is to say about it
   * @param cause what was thrown, if that is what went wrong
   * @param graph who waited for what
   * @param decisions what was decided
   * @param steps the steps, if they were written down
   * @param length how many steps there were
   */
  record Outcome(
      @Nullable Kind kind,
      String message,
      @Nullable Throwable cause,
      WaitGraph graph,
      Decisions decisions,
      List<Step> steps,
      long length) {

    boolean failed() {
      return kind != null;
    }

    /** Whether it is the same that went wrong: an exception of another class, or another invariant, is something else. */
    boolean failsLike(Outcome other) {
      return kind == other.kind
          && (cause == null ? other.cause == null : other.cause != null && cause.getClass() == other.cause.getClass())
          && (kind != Kind.INVARIANT || message.equals(other.message));
    }
  }

  static Outcome run(Check check, Decisions decisions, long seed, Recording recording, Watch watch) {
    return new Trial(check, decisions, recording, watch).run(seed, recording == Recording.LINES);
  }

  private Outcome run(long seed, boolean lines) {
    CooperativeHost host =
        new CooperativeHost(
            new RunSettings(
                decisions,
                Clock.virtual(),
                check.engine(),
                // Another sequence than that of the decisions: what is drawn must not follow from what was decided.
                new SplittableRandom(seed).split().nextLong(),
                true,
                lines,
                check.stepLimit(),
                observer,
                Check.STALL_AFTER,
                stall -> {}));
    watch.observe(host);
    RunEnd end = host.run("main", this::callProgram);
    return judge(end);
  }

  private void callProgram() {
    try {
      check.program().run();
    } catch (Throwable failure) {
      thrown = failure;
    }
  }

  private Outcome judge(RunEnd end) {
    return switch (end.problem()) {
      case Problem.Deadlock(WaitGraph graph) -> outcome(end, Kind.DEADLOCK, "No task can run any more.", null, graph);
      case Problem.TooManySteps(long steps, WaitGraph graph) ->
          outcome(end, Kind.LIVELOCK, "The program has not ended after " + steps + " steps.", null, graph);
      case Problem.Stalled(Stall stall) -> outcome(end, Kind.BLOCKED_OUTSIDE, stall.toString(), null, NOBODY_WAITS);
      case Problem.Stopped(Violation violation, WaitGraph graph) -> violated(end, violation, graph);
      case Problem.Stopped(VirtualMachineError error, WaitGraph graph) ->
          outcome(end, Kind.EXCEPTION, "The run was ended by " + Thrown.text(error), error, graph);
      case Problem.Stopped(Object reason, _) -> throw new IllegalStateException("A run was ended: " + reason, reason instanceof Throwable thrown ? thrown : null);
      case null -> judgeEnd(end);
    };
  }

  private Outcome judgeEnd(RunEnd end) {
    if (thrown != null) {
      return outcome(end, Kind.EXCEPTION, "The program threw " + Thrown.text(thrown), thrown, NOBODY_WAITS);
    }
    if (!end.uncaught().isEmpty()) {
      Throwable first = end.uncaught().getFirst();
      return outcome(end, Kind.EXCEPTION, "A task threw " + Thrown.text(first), first, NOBODY_WAITS);
    }
    Violation violation = observer.lastViolation();
    if (violation != null) {
      return violated(end, violation, NOBODY_WAITS);
    }
    if (!end.leftTasks().isEmpty() && !check.allowsLeaks()) {
      String message = "The program has returned, and left behind: " + String.join(", ", end.leftTasks());
      return outcome(end, Kind.LEAKED_TASK, message, null, end.left());
    }
    if (!end.held().isEmpty() && !check.allowsLeaks()) {
      return outcome(end, Kind.LEAKED_PERMIT, describeHeld(end.held()), null, NOBODY_WAITS);
    }
    return outcome(end, null, "", null, NOBODY_WAITS);
  }

  private Outcome violated(RunEnd end, Violation violation, WaitGraph graph) {
    String why = violation.cause() == null ? " does not hold." : " could not be checked: " + Thrown.text(violation.cause());
    return outcome(end, Kind.INVARIANT, "The invariant '" + violation.invariant() + "'" + why, violation.cause(), graph);
  }

  private static String describeHeld(List<WaitGraph.Hold> held) {
    return held.stream()
        .map(
            hold ->
                hold.resource()
                    + (hold.permits() > 1 ? " (" + hold.permits() + " permits)" : "")
                    + " taken by "
                    + hold.task()
                    + hold.line().map(line -> " at " + line.getFileName() + ":" + line.getLineNumber()).orElse(""))
        .collect(Collectors.joining("; ", "The program has returned, and these are still held: ", ""));
  }

  private Outcome outcome(RunEnd end, @Nullable Kind kind, String message, @Nullable Throwable cause, WaitGraph graph) {
    return new Outcome(kind, message, cause, graph, decisions, observer.steps(), end.steps());
  }
}
