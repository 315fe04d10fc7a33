// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.util.ArrayList;
import java.util.List;

/** Reads what the script writes: an array of texts and whole numbers. */
final class Json {
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 4;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The elements of {@code text}, numbers as they are written. */
  static List<String> array(String text) {
    Json json = new Json(text);
    List<String> elements = new ArrayList<>();
    json.at = 1;
    while (json.at < text.length() && text.charAt(json.at) != ']') {
      elements.add(text.charAt(json.at) == '"' ? json.string() : json.number());
      if (text.charAt(json.at) == ',') {
        json.at++;
      }
    }
    return elements;
  }

  private String number() {
    int from = at;
    while (text.charAt(at) != ',' && text.charAt(at) != ']') {
      at++;
    }
    return text.substring(from, at);
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    at++;
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c != '\\') {
        value.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> value.append('\n');
        case 't' -> value.append('\t');
        case 'r' -> value.append('\r');
        case 'b' -> value.append('\b');
        case 'f' -> value.append('\f');
        case 'u' -> {
          value.append((char) Integer.parseInt(text.substring(at, at + HEX_DIGITS), HEX));
          at += HEX_DIGITS;
        }
        default -> value.append(escaped);
      }
    }
    at++;
    return value.toString();
  }
}
