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
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

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
