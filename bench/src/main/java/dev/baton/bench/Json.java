// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts, numbers and booleans as JSON. */
final class Json {
  private Json() {}

  static String of(Report report) {
    return of(
        Map.of(
            "machine", report.machine().lines(),
            "rows", report.rows().stream().map(Json::row).toList(),
            "bars",
                report.verdicts().stream()
                    .map(v -> Map.of("claim", v.claim(), "met", v.met(), "measured", v.measured()))
                    .toList()));
  }

  private static Map<String, ?> row(Row row) {
    return Map.of(
        "suite", row.suite(),
        "work", row.work(),
        "params", row.params(),
        "implementations", row.measurements().stream().map(Json::measurement).toList());
  }

  private static Map<String, ?> measurement(Measurement m) {
    return Map.of(
        "name", m.peer().label(),
        "score", m.score(),
        "error", m.error(),
        "unit", m.unit(),
        "extras", m.extras());
  }

  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .sorted((a, b) -> a.getKey().toString().compareTo(b.getKey().toString()))
              .map(entry -> of(entry.getKey().toString()) + ":" + of(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Double number -> Double.isFinite(number) ? number.toString() : "null";
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      default -> quoted(value.toString());
    };
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
