// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A strict reader of JSON (RFC 8259), to check what is written. Numbers become doubles. */
final class JsonReader {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /** What stands at {@code path} in {@code json}: names of members, and numbers of elements. */
  static @Nullable Object at(@Nullable Object json, Object... path) {
    Object found = json;
    for (Object step : path) {
      found =
          switch (found) {
            case Map<?, ?> object -> object.get(step);
            case List<?> array -> array.get((int) step);
            case null, default -> throw new AssertionError("nothing below " + step + " in " + json);
          };
    }
    return found;
  }

  static @Nullable Object read(String text) {
    JsonReader reader = new JsonReader(text.strip());
    @Nullable Object value = reader.value();
    if (reader.at != reader.text.length()) {
      throw reader.wrong("the end");
    }
    return value;
  }

  private @Nullable Object value() {
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    at++;
    while (text.charAt(at) != '}') {
      if (!object.isEmpty()) {
        expect(',');
      }
      String key = string();
      expect(':');
      object.put(key, value());
    }
    at++;
    return object;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> array = new ArrayList<>();
    at++;
    while (text.charAt(at) != ']') {
      if (!array.isEmpty()) {
        expect(',');
      }
      array.add(value());
    }
    at++;
    return array;
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    expect('"');
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("no control character");
      }
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '"', '\\' -> c;
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text, at - 4, at, 16);
      }
      default -> throw wrong("an escape");
    };
  }

  private Double number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw wrong("a value");
    }
    at = number.end();
    return Double.valueOf(number.group());
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private void expect(char c) {
    if (text.charAt(at) != c) {
      throw wrong("'" + c + "'");
    }
    at++;
  }

  private AssertionError wrong(String expected) {
    return new AssertionError("not JSON at " + at + ", expected " + expected + ": " + text.substring(at));
  }
}
