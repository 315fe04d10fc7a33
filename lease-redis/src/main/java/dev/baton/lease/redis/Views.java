// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.LeaseWaiter;
import dev.baton.lease.spi.NameView;
import dev.baton.lease.spi.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the server tells of a name, as people see it. */
final class Views {
  static final int PAGE = 250;

  private Views() {}

  /** A page of what there is to see, from a rank on. */
  interface Pages {
    List<Object> page(int from, int size);
  }

  static @Nullable LeaseStats stats(String name, List<Object> page) {
    if (page.isEmpty()) {
      return null;
    }
    List<?> counts = (List<?>) page.get(6);
    long entered = number(page.get(5));
    return new LeaseStats(
        name,
        (int) number(page.get(1)),
        (int) number(page.get(0)),
        (int) number(page.get(2)),
        (int) number(page.get(3)),
        entered < 0 ? Duration.ZERO : age(number(page.get(4)), entered),
        number(counts.get(0)),
        number(counts.get(1)),
        number(counts.get(2)),
        number(counts.get(3)),
        number(counts.get(4)));
  }

  /** Page by page: each is one step, all of them together are not. */
  static NameView view(String name, Pages pages) {
    List<LeaseHolder> holders = new ArrayList<>();
    List<LeaseWaiter> waiters = new ArrayList<>();
    LeaseStats stats = null;
    int from = 0;
    while (true) {
      List<Object> page = pages.page(from, PAGE);
      stats = stats(name, page);
      if (stats == null) {
        break;
      }
      long now = number(page.get(4));
      each((List<?>) page.get(7), (id, fields, score) -> holders.add(holder(id, fields, now)));
      each(
          (List<?>) page.get(8),
          (id, fields, score) ->
              waiters.add(
                  new LeaseWaiter(
                      id,
                      fields.get(4),
                      "process " + fields.get(3),
                      Integer.parseInt(fields.get(0)),
                      waiters.size() + 1,
                      age(now, number(fields.get(5))))));
      from += PAGE;
      if (from >= Math.max(stats.holders(), stats.waiting())) {
        break;
      }
    }
    holders.sort(Comparator.comparingLong(LeaseHolder::fencingToken));
    return new NameView(stats, holders, waiters);
  }

  private interface Row {
    void accept(String id, List<String> fields, String score);
  }

  private static void each(List<?> rows, Row action) {
    for (int i = 0; i + 2 < rows.size(); i += 3) {
      String fields = (String) rows.get(i + 1);
      if (!fields.isEmpty()) {
        action.accept((String) rows.get(i), Json.array(fields), (String) rows.get(i + 2));
      }
    }
  }

  private static LeaseHolder holder(String id, List<String> fields, long now) {
    long hard = number(fields.get(3));
    return new LeaseHolder(
        id,
        fields.get(5),
        "process " + fields.get(4),
        Integer.parseInt(fields.get(0)),
        Arrays.stream(Grant.slots(fields.get(1))).boxed().toList(),
        number(fields.get(2)),
        age(now, number(fields.get(6))),
        hard == 0 ? Lease.FOREVER : left(Times.certain(hard - now)));
  }

  /** One that was extended for ever has no end, though the server has to have one for it. */
  private static Duration left(long nanos) {
    return nanos == Terms.NEVER ? Lease.FOREVER : Duration.ofNanos(nanos);
  }

  private static Duration age(long now, long then) {
    return Duration.ofMillis(Math.max(0, now - then));
  }

  private static long number(Object value) {
    return value instanceof Long number ? number : Long.parseLong((String) value);
  }
}
