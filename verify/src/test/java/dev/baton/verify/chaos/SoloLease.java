// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A lease that nobody competes for, as the script writes it down behind the state of its name: id, process, deadline, window, ttl, label. */
record SoloLease(String id, long token, long deadline) {
  /** Permits in use, two more numbers, the last token, and eight others. */
  private static final Pattern FIELDS =
      Pattern.compile("1 0 0 (\\d+)(?: \\d+){8} (\\S+) \\S+ (\\d+) \\d+ \\d+ .*", Pattern.DOTALL);

  /** The one in this state; null if there is none. */
  static @Nullable SoloLease of(@Nullable String state) {
    Matcher found = FIELDS.matcher(state == null ? "" : state);
    return found.matches()
        ? new SoloLease(found.group(2), Long.parseLong(found.group(1)), Long.parseLong(found.group(3)))
        : null;
  }

  /** How many permits are in use, of what the script writes down about the state of a name. */
  static long used(String state) {
    return Long.parseLong(state.split(" ", -1)[0]);
  }
}
