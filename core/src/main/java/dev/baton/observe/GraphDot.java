// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.GraphDrawing.Arrow;
import dev.baton.observe.GraphDrawing.Point;

/** A graph in the language of Graphviz. */
final class GraphDot {
  private final WaitGraph graph;

  GraphDot(WaitGraph graph) {
    this.graph = graph;
  }

  String render() {
    GraphDrawing drawing = new GraphDrawing(graph);
    StringBuilder dot = new StringBuilder("digraph waits {\n");
    dot.append("  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (Point point : drawing.points()) {
      String shape =
          switch (point.kind()) {
            case TASK -> "ellipse";
            case RESOURCE -> "box";
            case UNKNOWN -> "ellipse, style=dashed";
          };
      String label = String.join("\n", point.lines());
      dot.append("  ").append(name(point)).append(" [shape=").append(shape).append(", label=").append(quoted(label));
      dot.append("];\n");
    }
    for (Arrow arrow : drawing.arrows()) {
      dot.append("  ").append(name(arrow.from())).append(" -> ").append(name(arrow.to()));
      dot.append(" [label=").append(quoted(arrow.label()));
      dot.append(arrow.red() ? ", color=red, fontcolor=red, penwidth=2];\n" : "];\n");
    }
    if (!graph.note().isEmpty()) {
      dot.append("  label=").append(quoted(graph.note())).append(";\n");
    }
    return dot.append("}\n").toString();
  }

  private static String name(Point point) {
    return "p" + point.number();
  }

  /** Names may contain anything, also what means something to Graphviz. */
  private static String quoted(String text) {
    String safe = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\r", "").replace("\n", "\\n");
    return "\"" + safe + "\"";
  }
}
