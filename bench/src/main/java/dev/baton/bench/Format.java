// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.math.BigDecimal;
import java.util.Locale;

/** Figures as a reader wants them: three digits that matter, thousands grouped, independent of the locale. */
final class Format {
  private Format() {}

  static String number(double value) {
    double size = Math.abs(value);
    if (size < 0.0005) {
      return "0";
    }
    int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** A limit as it was set: no digits added. */
  static String limit(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  static String times(double ratio) {
    if (ratio >= 10) {
      return number(ratio) + "x";
    }
    return String.format(Locale.ROOT, ratio < 0.1 ? "%.3fx" : "%.2fx", ratio);
  }

  /** Groups the digits of an integer; leaves any other text as it is. */
  static String grouped(String value) {
    return value.matches("\\d{4,18}") ? String.format(Locale.ROOT, "%,d", Long.valueOf(value)) : value;
  }

  /** Writes micro as it is written outside of source code. */
  static String unit(String jmhUnit) {
    return jmhUnit.replace("us", "µs");
  }

  static String duration(long nanos) {
    long seconds = nanos / 1_000_000_000;
    return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }
}
