// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.util.List;
import java.util.Locale;

/** Bars per implementation, grouped by work, as SVG. Each group has its own scale: works differ by their units. */
final class Chart {
  private static final int LABEL = 230;
  private static final int BAR = 460;
  private static final int VALUE = 190;
  private static final int LINE = 20;
  private static final int WIDTH = LABEL + BAR + VALUE;

  private final StringBuilder svg = new StringBuilder();
  private int y;

  private Chart() {}

  static String fileName(String suite) {
    return "chart-" + suite + ".svg";
  }

  static String of(List<Row> rows) {
    Chart chart = new Chart();
    rows.forEach(chart::group);
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        %3$s</svg>
        """
        .formatted(WIDTH, chart.y + LINE, chart.svg);
  }

  private void group(Row row) {
    double top = row.measurements().stream().mapToDouble(Measurement::score).max().orElse(0);
    y += 2 * LINE;
    boolean more = row.measurements().stream().anyMatch(Measurement::moreIsBetter);
    text(8, "start", "bold", row.work() + (more ? " (more is better)" : " (less is better)"));
    for (Measurement m : row.measurements()) {
      y += LINE;
      double width = top > 0 ? Math.max(1, BAR * m.score() / top) : 1;
      text(LABEL - 8, "end", "normal", m.peer().label());
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
              LABEL, y - LINE + 7, width, LINE - 5, color(m.peer())));
      text(LABEL + (int) width + 6, "start", "normal", Format.number(m.score()) + " " + m.unit());
    }
  }

  private void text(int x, String anchor, String weight, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-weight=\"%s\" fill=\"#222\">%s</text>%n",
            x, y, anchor, weight, words.replace("&", "&amp;").replace("<", "&lt;")));
  }

  private static String color(Peer peer) {
    if (peer.isBaton()) {
      return "#c8452e";
    }
    return peer.isFloor() ? "#c9c9c9" : "#7a8ca5";
  }
}
