// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.lease.LeaseStats;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Nothing is lost and nothing made: what the server counts as used is what is held; what is given back was held; a server that kept its data knows
 * what it knew; and when all have gone, nothing is held.
 */
final class ConservationCheck implements Check {

  @Override
  public void look(History history, Consumer<String> violations) {
    Replay.of(history, (epoch, event, before) -> see(event, before, violations));
    for (int i = 1; i < history.epochs.size(); i++) {
      if (history.epochs.get(i).beganBy() == Fault.RESTART) {
        same(history.epochs.get(i - 1).end(), history.epochs.get(i).initial(), violations);
      }
    }
    if (!history.epochs.isEmpty()) {
      history.epochs.get(history.epochs.size() - 1).end().forEach(
          (name, left) -> {
            if (!left.held.isEmpty()) {
              violations.accept(left.permits() + " permits of " + name + " never came back: " + left.held.keySet());
            }
          });
    }
    for (LeaseStats stats : history.stats) {
      long gone = stats.released() + stats.expired() + stats.revoked();
      if (stats.acquired() != 0 || stats.granted() != gone) {
        violations.accept(stats.name() + " was granted " + stats.granted() + " times and given up " + gone + " times; "
            + stats.acquired() + " permits are in use");
      }
    }
  }

  private static void see(ServerEvent event, Snapshot before, Consumer<String> violations) {
    boolean held = before.held.containsKey(event.id());
    switch (event.kind()) {
      case GRANTED -> {
        if (held) {
          violations.accept(event.id() + " of " + event.name() + " was granted twice");
        }
      }
      case DROPPED -> {
        if (!held) {
          violations.accept(event.id() + " of " + event.name() + " was given back and not held");
        }
      }
      case COUNTED -> {
        if (event.number() != before.permits()) {
          violations.accept(event.number() + " permits of " + event.name() + " are counted, " + before.permits() + " are held");
        }
      }
      case ENTERED, LEFT, KEPT -> {
        // Changes no permits.
      }
    }
  }

  private static void same(Map<String, Snapshot> known, Map<String, Snapshot> found, Consumer<String> violations) {
    known.forEach(
        (name, before) -> {
          Snapshot after = Epoch.of(found, name);
          if (!before.held.equals(after.held) || !before.tickets.equals(after.tickets)) {
            violations.accept("a server that kept its data knows " + after.held + " and " + after.tickets + " of " + name + ", not "
                + before.held + " and " + before.tickets);
          }
        });
  }
}
