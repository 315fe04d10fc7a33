// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.GraphDrawing.Kind;
import dev.baton.observe.GraphDrawing.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where each point of a picture goes: the members of a ring around a circle, circles beside each other, and all else below in two
 * columns, tasks on the left and resources on the right. The same graph always looks the same.
 */
final class GraphLayout {
  private static final double MARGIN = 24;
  private static final double LETTER = 7.2;
  private static final double LINE = 16;
  private static final double PADDING = 10;

  /** Room between two boxes, for the text beside an arrow. */
  private static final double GAP = 110;

  private static final double ROW = 30;

  /** A box of a point, given by its middle. */
  record Box(double x, double y, double width, double height) {

    /** How far from the middle its edge is, in the direction of the unit vector (dx, dy). */
    double reach(double dx, double dy) {
      double across = dx == 0 ? Double.MAX_VALUE : width / 2 / Math.abs(dx);
      double along = dy == 0 ? Double.MAX_VALUE : height / 2 / Math.abs(dy);
      return Math.min(across, along);
    }
  }

  private final Map<Point, Box> boxes = new LinkedHashMap<>();
  private double width = 2 * MARGIN;
  private double height = 2 * MARGIN;

  GraphLayout(GraphDrawing drawing) {
    double left = MARGIN;
    double bottom = MARGIN;
    for (List<Point> ring : drawing.rings()) {
      List<Point> members = ring.stream().distinct().filter(point -> !boxes.containsKey(point)).toList();
      if (!members.isEmpty()) {
        double size = circle(members, left);
        left += size + GAP;
        bottom = Math.max(bottom, MARGIN + size + ROW);
      }
    }
    columns(drawing.points().stream().filter(point -> !boxes.containsKey(point)).toList(), bottom);
    for (Box box : boxes.values()) {
      width = Math.max(width, box.x() + box.width() / 2 + MARGIN);
      height = Math.max(height, box.y() + box.height() / 2 + MARGIN);
    }
  }

  Box of(Point point) {
    return boxes.getOrDefault(point, new Box(0, 0, 0, 0));
  }

  double width() {
    return width;
  }

  double height() {
    return height;
  }

  /** Puts points around a circle that begins at {@code left}; returns how much room it takes. */
  private double circle(List<Point> members, double left) {
    double widest = members.stream().mapToDouble(GraphLayout::width).max().orElse(0);
    double tallest = members.stream().mapToDouble(GraphLayout::height).max().orElse(0);
    double radius = Math.max(80, members.size() * (widest / 2 + GAP / 2) / Math.PI);
    for (int i = 0; i < members.size(); i++) {
      double angle = 2 * Math.PI * i / members.size() - Math.PI / 2;
      double x = left + widest / 2 + radius * (1 + Math.cos(angle));
      double y = MARGIN + tallest / 2 + radius * (1 + Math.sin(angle));
      place(members.get(i), x, y);
    }
    return 2 * radius + widest;
  }

  private void columns(List<Point> rest, double top) {
    List<Point> left = new ArrayList<>();
    List<Point> right = new ArrayList<>();
    rest.forEach(point -> (point.kind() == Kind.RESOURCE ? right : left).add(point));
    double leftWidth = left.stream().mapToDouble(GraphLayout::width).max().orElse(0);
    double rightWidth = right.stream().mapToDouble(GraphLayout::width).max().orElse(0);
    column(left, MARGIN + leftWidth / 2, top);
    column(right, MARGIN + leftWidth + 2 * GAP + rightWidth / 2, top);
  }

  private void column(List<Point> points, double x, double top) {
    double y = top;
    for (Point point : points) {
      place(point, x, y + height(point) / 2);
      y += height(point) + ROW;
    }
  }

  private void place(Point point, double x, double y) {
    boxes.put(point, new Box(x, y, width(point), height(point)));
  }

  private static double width(Point point) {
    return point.lines().stream().mapToInt(String::length).max().orElse(0) * LETTER + 2 * PADDING;
  }

  private static double height(Point point) {
    return point.lines().size() * LINE + PADDING;
  }
}
