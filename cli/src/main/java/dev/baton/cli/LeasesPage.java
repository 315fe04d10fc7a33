// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.LeaseWaiter;
import dev.baton.lease.Leases;
import dev.baton.lease.spi.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who holds what and who waits for it, for people and for programs. Each name at one instant, not all at the same one. */
record LeasesPage(List<Entry> names) {
  /** One name. */
  record Entry(LeaseStats stats, List<LeaseHolder> holders, List<LeaseWaiter> waiters) {}

  /** {@code asked}, or all names there are if none are asked for; those with most permits held first. */
  static LeasesPage of(Leases leases, List<String> asked) {
    List<Entry> names = new ArrayList<>();
    for (LeaseStats stats : (asked.isEmpty() ? leases.stats() : leases.stats(asked)).values()) {
      LeaseSemaphore name = leases.semaphore(stats.name(), stats.limit());
      boolean used = stats.holders() > 0 || stats.waiting() > 0;
      names.add(new Entry(stats, used ? name.holders() : List.of(), used ? name.waiters() : List.of()));
    }
    return new LeasesPage(names);
  }

  String text() {
    if (names.isEmpty()) {
      return "no such leases" + System.lineSeparator();
    }
    StringBuilder text = new StringBuilder();
    for (Entry entry : names) {
      LeaseStats stats = entry.stats();
      int waiting = entry.waiters().size();
      line(
          text,
          Terms.shown(stats.toString())
              + (waiting == 0 ? "" : ", " + waiting + (waiting == 1 ? " waits" : " wait")));
      for (LeaseHolder holder : entry.holders()) {
        String slots = holder.slots().stream().map(String::valueOf).collect(Collectors.joining(","));
        line(
            text,
            String.format(
                "  held     slot %-5s  for %-8s  token %d  %s  %s%s",
                slots,
                Ages.text(holder.age()),
                holder.fencingToken(),
                holder.id(),
                who(holder.label(), holder.owner()),
                holder.remaining().equals(Lease.FOREVER) ? "" : ", ends in " + Ages.text(holder.remaining())));
      }
      for (LeaseWaiter waiter : entry.waiters()) {
        line(
            text,
            String.format(
                "  waiting  place %-4d  for %-8s  permits %d  %s  %s",
                waiter.place(),
                Ages.text(waiter.age()),
                waiter.permits(),
                waiter.id(),
                who(waiter.label(), waiter.owner())));
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append(System.lineSeparator());
  }

  private static String who(String label, String owner) {
    return Terms.shown(label.isEmpty() ? owner : label);
  }

  /** Times in seconds. */
  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("names", names.stream().map(LeasesPage::json).toList());
    return json;
  }

  private static Map<String, @Nullable Object> json(Entry entry) {
    LeaseStats stats = entry.stats();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("name", stats.name());
    json.put("limit", stats.limit());
    json.put("acquired", stats.acquired());
    json.put("percent", stats.percent());
    json.put("granted", stats.granted());
    json.put("released", stats.released());
    json.put("expired", stats.expired());
    json.put("revoked", stats.revoked());
    json.put("timedOut", stats.timedOut());
    json.put("holders", entry.holders().stream().map(LeasesPage::json).toList());
    json.put("waiters", entry.waiters().stream().map(LeasesPage::json).toList());
    return json;
  }

  private static Map<String, @Nullable Object> json(LeaseHolder holder) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", holder.id());
    json.put("label", holder.label());
    json.put("owner", holder.owner());
    json.put("permits", holder.permits());
    json.put("slots", holder.slots());
    json.put("fencingToken", holder.fencingToken());
    json.put("age", seconds(holder.age()));
    json.put("remaining", holder.remaining().equals(Lease.FOREVER) ? null : seconds(holder.remaining()));
    return json;
  }

  private static Map<String, @Nullable Object> json(LeaseWaiter waiter) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", waiter.id());
    json.put("label", waiter.label());
    json.put("owner", waiter.owner());
    json.put("permits", waiter.permits());
    json.put("place", waiter.place());
    json.put("age", seconds(waiter.age()));
    return json;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1_000.0;
  }
}
