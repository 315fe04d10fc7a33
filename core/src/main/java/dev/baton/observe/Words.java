// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import dev.baton.observe.WaitGraph.Wait;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How lines, times and counts are shown to people. */
final class Words {
  private Words() {}

  /** "Philosophers.java:31 (Philosophers.eat)", or only the method if the line is not known. */
  static String line(StackTraceElement line) {
    String file = shortLine(line);
    String method = method(line);
    return file.equals(method) ? method : file + " (" + method + ")";
  }

  /** "Philosophers.java:31", or the method if the line is not known. */
  static String shortLine(StackTraceElement line) {
    @Nullable String file = line.getFileName();
    return file == null || line.getLineNumber() < 0 ? method(line) : file + ":" + line.getLineNumber();
  }

  private static String method(StackTraceElement line) {
    String type = line.getClassName();
    String method = line.getMethodName();
    if (method.startsWith("lambda$") && method.lastIndexOf('$') > "lambda$".length()) {
      // The compiler's name for a piece of code in a method: people look for the method.
      method = method.substring("lambda$".length(), method.lastIndexOf('$'));
    }
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + method;
  }

  /** "3.2 s". */
  static String time(Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      return decimal(time.toNanos() / 1e6) + " ms";
    }
    if (time.compareTo(Duration.ofMinutes(1)) < 0) {
      return decimal(time.toMillis() / 1e3) + " s";
    }
    return time.toHours() == 0
        ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
        : time.toHours() + " h " + time.toMinutesPart() + " min";
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%.0f", number);
  }

  static String count(long n, String thing) {
    return n + " " + thing + (n == 1 ? "" : "s");
  }

  /** The text with a number in the place of each character that would begin a new line, or do something else to a terminal. */
  static String visible(String text) {
    return text.codePoints().noneMatch(Character::isISOControl)
        ? text
        : text.codePoints().mapToObj(Words::visible).collect(Collectors.joining());
  }

  private static String visible(int character) {
    return Character.isISOControl(character) ? String.format(Locale.ROOT, "\\u%04x", character) : Character.toString(character);
  }

  /** "2 permits of Semaphore 1", or "Mutex 2". */
  static String wanted(Wait wait) {
    return (wait.permits() > 0 ? count(wait.permits(), "permit") + " of " : "") + wait.resource();
  }
}
