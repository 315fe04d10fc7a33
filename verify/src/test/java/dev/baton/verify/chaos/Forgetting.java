// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server that took the place of another did not know any more. A lease that is forgotten may overlap with others from then on, but for
 * no longer than a window; so may one whose last renewal was forgotten, until it is renewed.
 */
final class Forgetting {
  private final Map<String, Long> leases = new HashMap<>();
  private final Map<String, Long> renewals = new HashMap<>();
  private final Map<String, Long> regrants = new HashMap<>();

  Forgetting(History history) {
    for (int i = 1; i < history.epochs.size(); i++) {
      Epoch epoch = history.epochs.get(i);
      history.epochs.get(i - 1).end().forEach((name, known) -> compare(known, Epoch.of(epoch.initial(), name), epoch.cut()));
      for (ServerEvent event : epoch.events()) {
        if (event.kind() == ServerEvent.Kind.GRANTED && leases.containsKey(event.id())) {
          regrants.put(event.id(), event.number());
        }
      }
    }
  }

  private void compare(Snapshot known, Snapshot found, long cut) {
    known.held.forEach(
        (id, lease) -> {
          Snapshot.Held now = found.held.get(id);
          if (now == null || now.token() != lease.token()) {
            leases.put(id, cut);
          } else if (now.deadline() < lease.deadline()) {
            renewals.put(id, cut);
          }
        });
  }

  /** When the lease was forgotten; null if it never was. */
  @Nullable Long lease(String id) {
    return leases.get(id);
  }

  /** When its last renewal was forgotten; null if that never was. */
  @Nullable Long renewal(String id) {
    return renewals.get(id);
  }

  /** Whether the request for it was still known and has been granted once more. */
  boolean isGrantedAgain(String id) {
    return regrants.containsKey(id);
  }

  int count() {
    return leases.size();
  }
}
