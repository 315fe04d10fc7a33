// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whoever is granted something had the lowest ticket of all who waited, or nobody waited. Later tickets are higher. */
final class OrderCheck implements Check {

  /** One who has just left the line, perhaps because it is served. */
  private record Left(long step, long ticket) {}

  @Override
  public void look(History history, Consumer<String> violations) {
    Map<String, Left> lefts = new HashMap<>();
    Map<String, Long> lastTicket = new HashMap<>();
    Replay.of(history, (epoch, event, before) -> {
      String place = System.identityHashCode(epoch) + event.name();
      Long ticket = before.tickets.get(event.id());
      switch (event.kind()) {
        case ENTERED -> {
          long highest = before.tickets.values().stream().mapToLong(Long::longValue).max().orElse(0);
          highest = Math.max(highest, lastTicket.getOrDefault(place, 0L));
          if (event.number() <= highest) {
            violations.accept(event.id() + " entered the line of " + event.name() + " with ticket " + event.number() + " after " + highest);
          }
          lastTicket.put(place, event.number());
        }
        case LEFT -> {
          if (ticket != null) {
            lefts.put(event.id(), new Left(event.step(), ticket));
          }
        }
        case GRANTED -> overtaken(event, before, lefts.get(event.id()), violations);
        case KEPT, DROPPED, COUNTED -> {
          // Changes no order.
        }
      }
    });
  }

  private static void overtaken(ServerEvent event, Snapshot before, @Nullable Left left, Consumer<String> violations) {
    boolean waited = left != null && left.step() == event.step();
    long own = waited && left != null ? left.ticket() : Long.MAX_VALUE;
    before.tickets.forEach(
        (id, ticket) -> {
          if (ticket < own) {
            violations.accept(event.id() + " was granted " + event.name() + " while " + id + " waited with ticket " + ticket
                + (waited ? ", before its own " + own : ", and had none"));
          }
        });
  }
}
