// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.Terms;
import java.util.Arrays;
import java.util.List;

/**
 * What the server has granted.
 *
 * @param token its token
 * @param slots its slots
 * @param ttl how many nanoseconds it may last
 * @param limit the limit of the name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Grant(long token, int[] slots, long ttl, int limit) {
  private static final int FIRST = 1;
  private static final int DECIMAL = 10;

  /** As it was asked for: token, slots, limit; the token alone if nobody competes for it. */
  static Grant of(HeldLease lease, String text) {
    int slots = text.indexOf(' ') + 1;
    if (slots == 0) {
      return new Grant(Long.parseLong(text), new int[] {FIRST}, lease.terms().ttl(), lease.terms().limit());
    }
    int limit = text.indexOf(' ', slots) + 1;
    return new Grant(
        Long.parseLong(text, 0, slots - 1, DECIMAL),
        slots(text.substring(slots, limit - 1)),
        lease.terms().ttl(),
        Integer.parseInt(text, limit, text.length(), DECIMAL));
  }

  /** As the script says it: G, token, slots, ttl or -1, limit. */
  static Grant of(List<?> answer) {
    long remaining = (Long) answer.get(3);
    return new Grant(
        Long.parseLong((String) answer.get(1)),
        slots((String) answer.get(2)),
        remaining < 0 ? Terms.NEVER : Times.certain(remaining),
        ((Long) answer.get(4)).intValue());
  }

  static int[] slots(String text) {
    return text.indexOf(',') < 0
        ? new int[] {Integer.parseInt(text)}
        : Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
  }
}
