// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.Bars.Verdict;
import dev.baton.bench.peer.Peer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tables and bars of a run, as text for the terminal and as a Markdown page. */
record Report(Machine machine, String caution, List<Row> rows) {
  private static final String RATIO = "Baton is";

  /** Rows with one of them are about heap per thread, which has a difference rather than a ratio. */
  private static final List<Peer> FLOORS_OF_SIZE = List.of(Peer.BARE_PARK, Peer.BARE_PARKED);

  List<Verdict> verdicts() {
    return Bars.check(rows);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (Row row : rows) {
      text.append(row.work()).append('\n').append(table(row)).append('\n');
    }
    verdicts().forEach(verdict -> text.append(verdict).append('\n'));
    return text.append(caution()).append('\n').toString();
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Benchmark results\n\n");
    machine.lines().forEach(line -> text.append("- ").append(line).append('\n'));
    text.append('\n').append(caution()).append('\n');
    String suite = "";
    for (Row row : rows) {
      if (!row.suite().equals(suite)) {
        suite = row.suite();
        text.append("\n## ").append(suite).append("\n\n");
        text.append("![").append(suite).append("](").append(Chart.fileName(suite)).append(")\n");
      }
      text.append("\n### ").append(row.work()).append("\n\n").append(table(row));
    }
    text.append("\n## Bars\n\n");
    verdicts().forEach(verdict -> text.append("- ").append(verdict).append('\n'));
    return text.toString();
  }

  /** One line per implementation; columns that are empty for all of them are left out. */
  static Table table(Row row) {
    Set<String> extras = new LinkedHashSet<>();
    row.measurements().forEach(m -> extras.addAll(m.extras().keySet()));
    extras.remove(Measurement.STACK);
    Optional<Peer> parked = FLOORS_OF_SIZE.stream().filter(floor -> row.of(floor).isPresent()).findFirst();
    List<String> headings = new ArrayList<>(List.of("implementation", "score", "error", "unit"));
    headings.add(parked.isPresent() ? "beyond bare park" : RATIO);
    headings.addAll(extras);
    Table table = new Table(headings);
    for (Measurement m : row.measurements()) {
      List<String> cells = new ArrayList<>();
      cells.add(m.peer().label());
      cells.add(Format.number(m.score()));
      cells.add(Double.isNaN(m.error()) ? "" : "± " + Format.number(m.error()));
      cells.add(m.unit());
      cells.add(parked.map(floor -> beyond(row, m.peer(), floor)).orElseGet(() -> ratio(row, m.peer())));
      for (String extra : extras) {
        double value = m.extra(extra);
        cells.add(Double.isNaN(value) ? "" : Format.number(value));
      }
      table.add(cells);
    }
    return table;
  }

  private static String ratio(Row row, Peer peer) {
    double ratio = row.speed(peer.counterpart(), peer);
    return peer.isBaton() || Double.isNaN(ratio) ? "" : Format.times(ratio) + " as fast";
  }

  private static String beyond(Row row, Peer peer, Peer floor) {
    if (peer == floor) {
      return "";
    }
    double all = row.beyond(peer, floor);
    double stack = row.stackBeyond(peer, floor);
    return Double.isNaN(stack)
        ? Format.number(all)
        : Format.number(all) + " = objects " + Format.number(all - stack) + " + stack " + Format.number(stack);
  }
}
