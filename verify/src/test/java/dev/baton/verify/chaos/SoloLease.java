// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lease that nobody competes for, as the script writes it down beside the configuration of its name: id, process, token, window, ttl, label. */
record SoloLease(String id, long token, long deadline) {
  private static final Pattern FIELDS = Pattern.compile("(\\S+) \\S+ (\\d+) (\\d+) (\\d+) .*", Pattern.DOTALL);
  private static final long MICROS_PER_MILLI = 1_000;

  static SoloLease of(String text) {
    Matcher found = FIELDS.matcher(text);
    if (!found.matches()) {
      throw new IllegalStateException("This is not how the script writes down a lease that is alone: " + text);
    }
    long token = Long.parseLong(found.group(2));
    long window = Long.parseLong(found.group(3));
    long ttl = Long.parseLong(found.group(4));
    return new SoloLease(found.group(1), token, token / MICROS_PER_MILLI + (ttl > 0 ? Math.min(window, ttl) : window));
  }

  /** How many permits are in use, of what the script writes down about the state of a name. */
  static long used(String state) {
    return Long.parseLong(state.split(" ", -1)[2]);
  }
}
