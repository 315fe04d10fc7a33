// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as JSON. */
final class Json {
  private Json() {}

  static String write(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> object ->
          object.entrySet().stream()
              .map(member -> string(String.valueOf(member.getKey())) + ":" + write(member.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case Collection<?> array -> array.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
      case Double number when !Double.isFinite(number) ->
          throw new IllegalArgumentException("JSON has no number " + number + ".");
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      case CharSequence text -> string(text);
      default -> throw new IllegalArgumentException("JSON has no form for " + value.getClass() + ".");
    };
  }

  private static String string(CharSequence text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          // Also what a terminal would act on, and halves of a pair that no encoding can write.
          if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == '\u2028' || c == '\u2029' || isAlone(text, i)) {
            json.append(String.format("\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }

  private static boolean isAlone(CharSequence text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
