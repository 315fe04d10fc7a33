// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time: a number with its unit, or as ISO 8601 has it. More than none. */
class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m|h)");

  /** As many digits as the largest number may have; in hours, that is longer than anybody has waited for anything. */
  private static final int DIGITS = 9;

  @Override
  public Duration convert(String text) {
    Duration time = parse(text);
    if (time != null && time.isZero() && !mayBeZero()) {
      throw new TypeConversionException("'" + text + "' is too short: use a time longer than 0, such as 500ms, 30s, 5m or 1h.");
    }
    if (time == null || time.isNegative()) {
      throw new TypeConversionException(
          "'" + text + "' is no time: use a number and its unit, such as 500ms, 30s, 5m or 1h, or ISO 8601, such as PT1M30S.");
    }
    return time;
  }

  boolean mayBeZero() {
    return false;
  }

  private static @Nullable Duration parse(String text) {
    Matcher time = TIME.matcher(text);
    if (time.matches()) {
      if (time.group(1).length() > DIGITS) {
        throw new TypeConversionException("'" + text + "' is too long: use a number of at most " + DIGITS + " digits, or a larger unit.");
      }
      long number = Long.parseLong(time.group(1));
      return switch (time.group(2)) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        default -> Duration.ofHours(number);
      };
    }
    try {
      return text.toUpperCase(Locale.ROOT).startsWith("P") ? Duration.parse(text) : null;
    } catch (DateTimeParseException bad) {
      return null;
    }
  }

  /** A time that may also be none: 0s. */
  static final class OrZero extends DurationConverter {
    @Override
    boolean mayBeZero() {
      return true;
    }
  }
}
