// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the script writes down as the state of a name: how many permits are in use and, behind all else, those who hold one, if they are few. The others
 * are written down elsewhere.
 *
 * @param leases in the order in which they were granted
 */
record ShortForm(long used, List<Lease> leases) {

  /** A lease of one permit. */
  record Lease(String id, long token, long deadline) {}

  /** Each in a line of its own: id, process, whether somebody has it, token, deadline, and more. */
  private static final Pattern LINE = Pattern.compile("\n(\\S+) \\S+ \\d (\\d+) (\\d+) ");

  /** What is in this text; nothing if there is none. */
  static ShortForm of(@Nullable String state) {
    List<Lease> leases = new ArrayList<>();
    if (state == null) {
      return new ShortForm(0, leases);
    }
    Matcher next = LINE.matcher(state);
    while (next.find()) {
      leases.add(new Lease(next.group(1), Long.parseLong(next.group(2)), Long.parseLong(next.group(3))));
    }
    leases.sort(Comparator.comparingLong(Lease::token));
    return new ShortForm(Long.parseLong(state.substring(0, state.indexOf(' '))), leases);
  }
}
