// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Failure;
import dev.baton.check.Report;
import dev.baton.observe.WaitGraph;
import dev.baton.runtime.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A report as one JSON object. Its fields are listed in docs/cli.md. */
final class ReportJson {
  private ReportJson() {}

  /** {@code stopped}: the search was ended before its time, and has found nothing. */
  static String of(Path file, Report report, String output, boolean stopped) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("file", file.toString());
    json.put("strategy", report.strategy().toString());
    json.put("engine", word(report.engine()));
    json.put("schedules", report.schedules());
    json.put("operations", report.operations());
    json.put("complete", report.complete());
    json.put("seconds", report.elapsed().toMillis() / 1e3);
    json.put("result", stopped ? "stopped" : report.passed() ? "passed" : "failed");
    json.put("failure", report.failure().map(failure -> failure(failure, output)).orElse(null));
    return Json.write(json);
  }

  private static Map<String, @Nullable Object> failure(Failure failure, String output) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("kind", word(failure.kind()));
    json.put("message", failure.message());
    json.put("replay", failure.replay());
    json.put("foundAfter", failure.foundAfter());
    json.put("steps", failure.steps().stream().map(ReportJson::step).toList());
    json.put("graph", graph(failure.graph()));
    json.put("exception", exception(failure.cause(), Collections.newSetFromMap(new IdentityHashMap<>())));
    json.put("output", output);
    return json;
  }

  private static Map<String, @Nullable Object> step(Step step) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("number", step.number());
    json.put("task", step.task());
    json.put("primitive", step.primitive());
    json.put("operation", step.operation());
    json.put("line", line(step.line()));
    return json;
  }

  private static Map<String, @Nullable Object> graph(WaitGraph graph) {
    List<Object> waits = new ArrayList<>();
    for (WaitGraph.Wait wait : graph.waits()) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("task", wait.task().name());
      json.put("resource", wait.resource().name());
      json.put("made", line(wait.resource().made()));
      json.put("permits", wait.permits());
      json.put("seconds", wait.waited().toNanos() / 1e9);
      json.put("line", line(wait.line().orElse(null)));
      waits.add(json);
    }
    List<Object> holds = new ArrayList<>();
    for (WaitGraph.Hold hold : graph.holds()) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("task", hold.task().name());
      json.put("resource", hold.resource().name());
      json.put("relation", word(hold.relation()));
      json.put("permits", hold.permits());
      json.put("line", line(hold.line().orElse(null)));
      holds.add(json);
    }
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("waits", waits);
    json.put("holds", holds);
    json.put("cycles", graph.cycles().stream().map(ring -> ring.stream().map(wait -> wait.task().name()).toList()).toList());
    return json;
  }

  /** Causes may lead in a circle: those that were {@code seen} end it. */
  private static @Nullable Map<String, @Nullable Object> exception(@Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return null;
    }
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("class", thrown.getClass().getName());
    json.put("message", message(thrown));
    json.put("stack", Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::toString).toList());
    json.put("cause", exception(thrown.getCause(), seen));
    return json;
  }

  /** Made by code of the program, which may fail. */
  private static @Nullable String message(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | Error failure) {
      return null;
    }
  }

  private static @Nullable Map<String, @Nullable Object> line(@Nullable StackTraceElement frame) {
    if (frame == null) {
      return null;
    }
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("file", frame.getFileName());
    json.put("line", frame.getLineNumber());
    json.put("method", frame.getClassName() + "." + frame.getMethodName());
    return json;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
