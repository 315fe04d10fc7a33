// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the code in pages and in javadoc. */
final class Snippets {
  private static final Pattern FENCE = Pattern.compile("( *)(`{3,})java *");
  private static final Pattern COMMENT = Pattern.compile("<!--\\s*(given|from):\\s*(.*?)\\s*-->", Pattern.DOTALL);
  private static final Pattern TAG = Pattern.compile("\\{@snippet([^:{}]*?)(:|\\})");
  private static final Pattern ASTERISK = Pattern.compile("^\\s*\\* ?", Pattern.MULTILINE);

  private Snippets() {}

  /** Every java fence of a page that is to be compiled: all but those copied from an example. */
  static List<Snippet> inPage(Path page, String text) {
    List<Snippet> found = new ArrayList<>();
    for (Fence fence : fences(text)) {
      if (fence.comment("from").isEmpty()) {
        found.add(new Snippet(page, fence.line, fence.comment("given"), fence.code));
      }
    }
    return found;
  }

  /** A fence that shows part of an example says so: {@code <!-- from: examples/Name.java -->} directly above it. */
  static List<Excerpt> excerpts(Path page, String text) {
    List<Excerpt> found = new ArrayList<>();
    for (Fence fence : fences(text)) {
      if (!fence.comment("from").isEmpty()) {
        found.add(new Excerpt(Path.of(fence.comment("from")), new Snippet(page, fence.line, "", fence.code)));
      }
    }
    return found;
  }

  /** Every inline snippet in the javadoc of a source. A snippet that points elsewhere is refused: nobody would check it. */
  static List<Snippet> inJavadoc(Path source, String text) {
    List<Snippet> found = new ArrayList<>();
    Matcher tag = TAG.matcher(text);
    for (int from = 0; tag.find(from); from = tag.end()) {
      if (tag.group(2).equals("}")) {
        throw new IllegalArgumentException(source + ":" + lineAt(text, tag.start()) + ": write the snippet in place");
      }
      if (tag.group(1).contains("lang") && !tag.group(1).contains("java")) {
        continue;
      }
      int start = text.indexOf('\n', tag.end()) + 1;
      String code = ASTERISK.matcher(text.substring(start, closingBrace(text, tag.end()))).replaceAll("");
      found.add(new Snippet(source, lineAt(text, start), "", code.stripTrailing()));
    }
    return found;
  }

  /** Part of an example, as a page shows it. */
  record Excerpt(Path example, Snippet shown) {}

  /** A java fence: the first line of its code, the code, and the HTML comments that stand directly above it. */
  private record Fence(int line, String code, String above) {
    String comment(String kind) {
      Matcher comment = COMMENT.matcher(above);
      while (comment.find()) {
        if (comment.group(1).equals(kind)) {
          return comment.group(2);
        }
      }
      return "";
    }
  }

  private static List<Fence> fences(String text) {
    List<Fence> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher opening = FENCE.matcher(lines.get(i));
      if (!opening.matches()) {
        continue;
      }
      int first = i + 1;
      StringBuilder code = new StringBuilder();
      for (i = first; i < lines.size() && !lines.get(i).strip().equals(opening.group(2)); i++) {
        code.append(withoutIndent(lines.get(i), opening.group(1).length())).append('\n');
      }
      found.add(new Fence(first + 1, code.toString(), commentAbove(lines, first - 1)));
    }
    return found;
  }

  /** The comment that ends on the line before {@code fence}, or nothing. */
  private static String commentAbove(List<String> lines, int fence) {
    if (fence == 0 || !lines.get(fence - 1).strip().endsWith("-->")) {
      return "";
    }
    int first = fence - 1;
    while (first > 0 && !lines.get(first).contains("<!--")) {
      first--;
    }
    return String.join("\n", lines.subList(first, fence));
  }

  private static String withoutIndent(String line, int indent) {
    int blanks = 0;
    while (blanks < indent && blanks < line.length() && line.charAt(blanks) == ' ') {
      blanks++;
    }
    return line.substring(blanks);
  }

  /** The index of the brace that closes a tag whose body begins at {@code from}; braces inside are balanced. */
  private static int closingBrace(String text, int from) {
    int open = 1;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '{') {
        open++;
      } else if (text.charAt(i) == '}' && --open == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("a snippet is never closed: " + text.substring(from, from + 40));
  }

  private static int lineAt(String text, int index) {
    return (int) text.substring(0, index).chars().filter(c -> c == '\n').count() + 1;
  }
}
