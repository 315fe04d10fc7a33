// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A graph as points and arrows: what every picture of it is made from. */
final class GraphDrawing {

  /** What a point stands for. */
  enum Kind {
    TASK,
    RESOURCE,
    UNKNOWN
  }

  /** A task or a resource: {@code number} counts them, {@code lines} say what it is, the first one its name. */
  record Point(int number, Kind kind, List<String> lines) {}

  /** From who waits to what is waited for, or from there to who has it; {@code red} if it is part of a ring. */
  record Arrow(Point from, Point to, String label, boolean red) {}

  private record Step(long task, long resource) {}

  private final List<Point> points = new ArrayList<>();
  private final List<Arrow> arrows = new ArrayList<>();
  private final List<List<Point>> rings = new ArrayList<>();
  private final Map<Long, Point> tasks = new LinkedHashMap<>();
  private final Map<Long, Point> resources = new HashMap<>();

  GraphDrawing(WaitGraph graph) {
    Set<Step> redWaits = new HashSet<>();
    Set<Step> redHolds = new HashSet<>();
    for (List<Wait> ring : graph.cycles()) {
      List<Point> around = new ArrayList<>();
      for (int i = 0; i < ring.size(); i++) {
        Wait wait = ring.get(i);
        around.add(task(wait.task()));
        around.add(resource(wait.resource()));
        redWaits.add(new Step(wait.task().id(), wait.resource().id()));
        redHolds.add(new Step(ring.get((i + 1) % ring.size()).task().id(), wait.resource().id()));
      }
      rings.add(around);
    }
    for (Wait wait : graph.waits()) {
      boolean red = redWaits.contains(new Step(wait.task().id(), wait.resource().id()));
      String verb = wait.permits() > 0 ? "waits for " + wait.permits() : "waits";
      arrows.add(new Arrow(task(wait.task()), resource(wait.resource()), label(verb, wait.line()), red));
    }
    for (Hold hold : graph.holds()) {
      boolean red = redHolds.contains(new Step(hold.task().id(), hold.resource().id()));
      Point holder = hold.task().isKnown() ? task(hold.task()) : point(Kind.UNKNOWN, List.of(hold.task().name()));
      arrows.add(new Arrow(resource(hold.resource()), holder, label(hold), red));
    }
  }

  List<Point> points() {
    return points;
  }

  List<Arrow> arrows() {
    return arrows;
  }

  /** The points of each ring, in order. */
  List<List<Point>> rings() {
    return rings;
  }

  private Point task(Node task) {
    return tasks.computeIfAbsent(task.id(), id -> point(Kind.TASK, List.of(task.name())));
  }

  private Point resource(Resource resource) {
    return resources.computeIfAbsent(
        resource.id(),
        id ->
            point(
                Kind.RESOURCE,
                resource.state().isEmpty() ? List.of(resource.name()) : List.of(resource.name(), resource.state())));
  }

  private Point point(Kind kind, List<String> lines) {
    Point point = new Point(points.size(), kind, lines);
    points.add(point);
    return point;
  }

  private static String label(Hold hold) {
    if (hold.relation() == Relation.ENDS) {
      return "ends with";
    }
    String verb = hold.line().isPresent() ? "taken" : "held";
    return label(hold.permits() > 0 ? hold.permits() + " " + verb : verb, hold.line());
  }

  private static String label(String verb, Optional<StackTraceElement> line) {
    return line.map(at -> verb + " at " + Words.shortLine(at)).orElse(verb);
  }
}
