// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.GraphDrawing.Arrow;
import dev.baton.observe.GraphDrawing.Kind;
import dev.baton.observe.GraphDrawing.Point;
import dev.baton.observe.GraphLayout.Box;
import java.util.List;
import java.util.Locale;

/** A graph as a picture that any browser shows. */
final class GraphSvg {
  private static final String STYLE =
      """
      <style>
        text { font: 12px ui-monospace, monospace; text-anchor: middle; fill: #222 }
        .label { font-size: 10px; fill: #555; paint-order: stroke; stroke: #fff; stroke-width: 3px }
        .task, .resource, .unknown { fill: #f4f6f8; stroke: #667 }
        .resource { fill: #fff }
        .unknown { stroke-dasharray: 4 3 }
        .arrow { stroke: #667; fill: none; marker-end: url(#head) }
        .red { stroke: #c22; stroke-width: 2; marker-end: url(#redhead) }
        .label.red { fill: #c22; stroke: #fff; stroke-width: 3px }
      </style>
      <defs>
        <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="#667"/>
        </marker>
        <marker id="redhead" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="#c22"/>
        </marker>
      </defs>
      """;

  /** How far an arrow bends to one side, so that two between the same boxes are told apart. */
  private static final double BEND = 14;

  private final WaitGraph graph;
  private final StringBuilder svg = new StringBuilder();

  GraphSvg(WaitGraph graph) {
    this.graph = graph;
  }

  String render() {
    GraphDrawing drawing = new GraphDrawing(graph);
    GraphLayout layout = new GraphLayout(drawing);
    String note = drawing.points().isEmpty() ? graph.toText().strip() : graph.note();
    List<String> notes = note.lines().toList();
    double width = notes.stream().mapToDouble(line -> line.length() * 7.2 + 48).reduce(layout.width(), Math::max);
    double height = layout.height() + 16 * notes.size();
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n", //
        width, height, width, height);
    svg.append(STYLE);
    add("<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
    drawing.arrows().forEach(arrow -> arrow(arrow, layout.of(arrow.from()), layout.of(arrow.to())));
    drawing.points().forEach(point -> point(point, layout.of(point)));
    for (int i = 0; i < notes.size(); i++) {
      text("note", width / 2, layout.height() + 16 * i, notes.get(i));
    }
    return svg.append("</svg>\n").toString();
  }

  private void arrow(Arrow arrow, Box from, Box to) {
    double length = Math.max(1, Math.hypot(to.x() - from.x(), to.y() - from.y()));
    double dx = (to.x() - from.x()) / length;
    double dy = (to.y() - from.y()) / length;
    double start = from.reach(dx, dy);
    double end = length - to.reach(dx, dy);
    double middleX = from.x() + dx * (start + end) / 2 - dy * BEND;
    double middleY = from.y() + dy * (start + end) / 2 + dx * BEND;
    String red = arrow.red() ? " red" : "";
    add("<path class=\"arrow%s\" d=\"M%.1f %.1f Q%.1f %.1f %.1f %.1f\"/>\n", //
        red, from.x() + dx * start, from.y() + dy * start, middleX, middleY, from.x() + dx * end, from.y() + dy * end);
    text("label" + red, middleX, middleY, arrow.label());
  }

  private void point(Point point, Box box) {
    String kind = point.kind().name().toLowerCase(Locale.ROOT);
    double round = point.kind() == Kind.RESOURCE ? 0 : box.height() / 2;
    add("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>\n", //
        kind, box.x() - box.width() / 2, box.y() - box.height() / 2, box.width(), box.height(), round);
    double y = box.y() - 8.0 * point.lines().size() + 12;
    for (String line : point.lines()) {
      text("name", box.x(), y, line);
      y += 16;
    }
  }

  private void text(String kind, double x, double y, String words) {
    add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", kind, x, y, escaped(words));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  /** Also what XML cannot contain at all: a thread may be named anything. */
  private static String escaped(String words) {
    StringBuilder safe = new StringBuilder();
    words.codePoints().forEach(c -> {
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        default -> safe.appendCodePoint(isXml(c) ? c : '?');
      }
    });
    return safe.toString();
  }

  private static boolean isXml(int c) {
    return c == '\t' || (c >= ' ' && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
  }
}
