// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table whose columns are aligned, so that it reads as well on a terminal. */
final class Table {
  private final List<List<String>> lines = new ArrayList<>();

  Table(List<String> headings) {
    lines.add(headings);
  }

  void add(List<String> cells) {
    if (cells.size() != lines.getFirst().size()) {
      throw new IllegalArgumentException(cells.size() + " cells for " + lines.getFirst().size() + " columns");
    }
    lines.add(cells);
  }

  @Override
  public String toString() {
    int columns = lines.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < lines.size(); n++) {
      for (int i = 0; i < columns; i++) {
        text.append("| ").append(padded(lines.get(n).get(i), widths[i], i > 0)).append(' ');
      }
      text.append("|\n");
      if (n == 0) {
        for (int i = 0; i < columns; i++) {
          text.append(i == 0 ? "|:" : "|-").append("-".repeat(widths[i])).append(i == 0 ? "-" : ":");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }

  private static String padded(String cell, int width, boolean right) {
    String gap = " ".repeat(width - cell.length());
    return right ? gap + cell : cell + gap;
  }
}
