// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Times for people: two units at most. */
final class Ages {
  private Ages() {}

  /** For example {@code 350ms}, {@code 12s}, {@code 3m 5s}, {@code 2h 4m} or {@code 6d 1h}. */
  static String text(@Nullable Duration time) {
    if (time == null) {
      return "any time";
    }
    if (time.toDaysPart() > 0) {
      return two(time.toDaysPart(), "d", time.toHoursPart(), "h");
    }
    if (time.toHoursPart() > 0) {
      return two(time.toHoursPart(), "h", time.toMinutesPart(), "m");
    }
    if (time.toMinutesPart() > 0) {
      return two(time.toMinutesPart(), "m", time.toSecondsPart(), "s");
    }
    return time.toSecondsPart() > 0 ? two(time.toSecondsPart(), "s", 0, "") : time.toMillisPart() + "ms";
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return large + unit + (small == 0 ? "" : " " + small + smallUnit);
  }
}
