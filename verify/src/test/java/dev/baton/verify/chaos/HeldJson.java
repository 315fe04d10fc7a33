// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the script writes down of a lease, as far as it is looked at here: [permits,"slots","token",…]. */
record HeldJson(int permits, long token) {
  private static final Pattern BEGINNING = Pattern.compile("\\[(\\d+),\"[\\d,]*\",\"(\\d+)\".*");

  static HeldJson of(String text) {
    Matcher found = BEGINNING.matcher(text);
    if (!found.matches()) {
      throw new IllegalStateException("This is not how the script writes down a lease: " + text);
    }
    return new HeldJson(Integer.parseInt(found.group(1)), Long.parseLong(found.group(2)));
  }
}
